import { LANGUAGES } from './languages.ts'
import { PAGE_URL } from './message-parts.ts'
import { numberedPattern } from './numbered-pages.ts'
import { plainSigns } from './pasted-text.ts'

const MASK = '[…]'

const DOCUMENT_PAGE = new RegExp(
  `^(?:https?://)?[^/?#]+(?:/(?:${LANGUAGES.join('|')}))?${numberedPattern('document')}(?:$|[^\\p{L}\\p{N}_-])`,
  'iu',
)
/** A text between spaces and brackets that may be an address without `https://`. */
const WORD = /[^\s<>"'`«»()[\]،؛]+/gu
/** How the names of most sites end. */
const ENDINGS = new Set('com net org info shop store site online xyz tn fr me be'.split(' '))
/** How such names may end as well, which occur in running text: only before a path. */
const ENDING_BEFORE_PATH = /^(?:[a-z]{2}|biz|link|page|club|live|app|dev|تونس)$/
const LABEL = /^[\p{L}\p{N}_-]+$/u
/** What may be before a site's name. */
const BEFORE_SITE = /[:;,=|]/
const SLASHES = /^[/\\]+/
const PATH = /[/?#\\]/
/** The end of a sentence, and nothing of an address. */
const SENTENCE_END = /[.!]$/
/** An @, however it is written. */
const AT = /[@＠﹫]/u
/** The part of an e-mail address after the @, at the beginning of a text. */
const DOMAIN = /^[^\s<>"']+\.[\p{L}\p{N}]+/u
/** Neither part of an e-mail address has these characters. */
const NOT_IN_EMAIL = /[\s<>"']/
/**
 * Numbers of any script, grouped in any way, also by marks that are not seen or drawn over them.
 */
const NUMBER =
  /\+?\p{Nd}(?:[\p{M}\p{DI}]*(?:[\p{Z}\t\n\r.()/|*_·•~ـ−\p{Pd}][\p{M}\p{DI}]*){0,3}\p{Nd})+/gu
/** The same with signs that also separate two numbers, and then have a space beside them. */
const JOINED_NUMBER = /\p{Nd}{2,8}(?:[,،٬;:+=&#'’\\]\p{Nd}{2,8})+/gu
/** Dates and years. */
const TIME =
  /\b(?:[0-3]?\d ?[/.-] ?[01]?\d ?[/.-] ?(?:19|20)\d\d|(?:19|20)\d\d(?: ?[/.-] ?[01]\d ?[/.-] ?[0-3]\d)?)\b/g
/** How many digits may be beside dates and years: a phone number that has a year has 4 more. */
const BESIDE_TIMES_MAX = 3
/** Numbers of exercises or pages, with anything but a mere space between them. */
const LIST = /^\d{1,2}(?: ?[,;/-] ?\d{1,2})+$/

/**
 * A person's text as strangers may see it: e-mail addresses, phone numbers, and all addresses of
 * pages except those of documents are masked; addresses of the document `about` are removed.
 */
export function maskedText(text: string, about?: number): string {
  const maskedAddress = (address: string): string => {
    const id = DOCUMENT_PAGE.exec(address)?.[1]
    if (id === undefined) return MASK
    return Number(id) === about ? '' : address
  }
  const withoutAddresses = text
    .replace(PAGE_URL, maskedAddress)
    .replace(WORD, (word) => (namesSite(word) ? maskedAddress(word) : word))
  return withoutEmails(withoutAddresses)
    .replace(NUMBER, maskedNumber)
    .replace(JOINED_NUMBER, maskedNumber)
    .trim()
}

/** Whether a word is a site's name with a path, or one that ends as most names do. */
function namesSite(word: string): boolean {
  return plainSigns(word)
    .toLowerCase()
    .split(BEFORE_SITE)
    .some((part) => {
      const address = part.replace(SLASHES, '').replace(SENTENCE_END, '')
      const [host = ''] = address.split(PATH, 1)
      const labels = host.split('.')
      if (labels.length < 2 || !labels.every((label) => LABEL.test(label))) return false
      const ending = labels.at(-1) ?? ''
      if (labels[0] === 'www' || ENDINGS.has(ending)) return true
      return host.length < address.length && ENDING_BEFORE_PATH.test(ending)
    })
}

/** The fewest digits of the numbers of phones, accounts and cards. */
const DIGITS_LEAST = 8

function maskedNumber(number: string): string {
  const plain = plainSigns(number)
  const isLong = plain.replace(/\D/g, '').length >= DIGITS_LEAST
  return isLong && !isTimeOrList(plain) ? MASK : number
}

/** Whether a number is made of dates and years, or lists exercises or pages in their order. */
function isTimeOrList(number: string): boolean {
  const others = number.replace(TIME, '').replace(/\D/g, '')
  if (others.length <= BESIDE_TIMES_MAX) return true
  const listed = LIST.test(number) ? number.split(/\D+/).map(Number) : []
  return listed.length > 0 && listed.every((one, at) => one > (listed[at - 1] ?? 0))
}

// An expression for whole addresses would begin again at each character of a long word.
function withoutEmails(text: string): string {
  const [first = '', ...others] = text.split(AT)
  const masked: string[] = []
  // The text before the next @, without the part that an earlier address has used.
  let before = first
  for (const part of others) {
    const domain = DOMAIN.exec(part)?.[0]
    const name = startOfName(before)
    if (domain === undefined || name === before.length) {
      masked.push(before, '@')
      before = part
    } else {
      masked.push(before.slice(0, name), MASK)
      before = part.slice(domain.length)
    }
  }
  return [...masked, before].join('')
}

function startOfName(before: string): number {
  let start = before.length
  while (start > 0 && !NOT_IN_EMAIL.test(before.charAt(start - 1))) start--
  return start
}
