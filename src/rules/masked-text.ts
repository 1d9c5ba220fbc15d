import { LANGUAGES } from './languages.ts'
import { PAGE_URL } from './message-parts.ts'
import { numberedPattern } from './numbered-pages.ts'
import { plainSigns } from './pasted-text.ts'

const MASK = '[…]'

const DOCUMENT_PAGE = new RegExp(
  `^(?:https?://)?[^/?#]+(?:/(?:${LANGUAGES.join('|')}))?${numberedPattern('document')}(?:$|[^\\p{L}\\p{N}_-])`,
  'iu',
)
/** What stands between spaces and brackets, and may be an address without `https://`. */
const WORD = /[^\s<>"'`«»()[\]،؛]+/gu
/** A site's name with a path, or one that ends as most names do; both lead away from the shop. */
const SITE =
  /(?:^|[:;,=|])(?:[\p{L}\p{N}_-]+\.)+(?:(?:[a-z]{2,}|تونس)(?::\d{1,5})?[/?#]|(?:com|net|org|info|tn|fr|me|be)(?:$|[.,:;!?]))/iu
/** An @, however it is written. */
const AT = /[@＠﹫]/u
/** The part of an e-mail address after the @, at the beginning of a text. */
const DOMAIN = /^[^\s<>"']+\.[\p{L}\p{N}]+/u
/** Neither part of an e-mail address has these characters. */
const NOT_IN_EMAIL = /[\s<>"']/
/** Digits of any script, grouped in any way, also by marks that are not seen or drawn over them. */
const DIGITS =
  /\+?\p{Nd}(?:[\p{M}\p{DI}]*(?:[\p{Z}\t\n\r.()/|*_·•~ـ−\p{Pd}][\p{M}\p{DI}]*){0,3}\p{Nd})+/gu
/** The numbers of phones, accounts and cards have this many digits or more. */
const NUMBER_MIN_DIGITS = 8
const SCHOOL_YEAR = /^\d{4}\D{1,2}\d{4}$/
const DATE =
  /^(?:[0-3]?\d[/.-][01]?\d[/.-](?:19|20)\d\d|(?:19|20)\d\d[/.-][01]\d[/.-][0-3]\d)(?: \d\d?)?$/

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
    .replace(WORD, (word) => (SITE.test(plainSigns(word)) ? maskedAddress(word) : word))
  return withoutEmails(withoutAddresses)
    .replace(DIGITS, (number) => (isHarmless(number) ? number : MASK))
    .trim()
}

function isHarmless(number: string): boolean {
  if ((number.match(/\p{Nd}/gu)?.length ?? 0) < NUMBER_MIN_DIGITS) return true
  const plain = plainSigns(number)
  return SCHOOL_YEAR.test(plain) || DATE.test(plain)
}

// An expression for whole addresses would begin again at each character of a long word.
function withoutEmails(text: string): string {
  const [first = '', ...others] = text.split(AT)
  const masked: string[] = []
  // What stands before the next @, except what an address before it has used.
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
