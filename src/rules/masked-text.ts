import { numberedPattern } from './numbered-pages.ts'

const MASK = '[…]'

/** The URL of a page. */
const ADDRESS = /https?:\/\/[^\s<>"'`\u2066-\u2069]+/giu
const DOCUMENT_PAGE = new RegExp(`${numberedPattern('document')}(?![\\p{L}\\p{N}_-])`, 'u')
/** The part of an e-mail address after the @, at the beginning of a text. */
const DOMAIN = /^[^\s<>"']+\.[\p{L}\p{N}]+/u
/** Neither part of an e-mail address has these characters. */
const NOT_IN_EMAIL = /[\s<>"']/
/**
 * The numbers of phones, accounts and cards: 8 or more digits of any script, grouped in any way.
 */
const NUMBER = /\+?\p{Nd}(?:[\s.()-]{0,2}\p{Nd}){7,}/gu
const SCHOOL_YEAR = /^\p{Nd}{4}\P{Nd}{1,2}\p{Nd}{4}$/u

/**
 * A person's text as strangers may see it: e-mail addresses, phone numbers and all URLs except
 * those of documents' pages are masked, and URLs of the document `about` are removed.
 */
export function maskedText(text: string, about?: number): string {
  const withoutAddresses = text.replace(ADDRESS, (address) => {
    const id = DOCUMENT_PAGE.exec(address)?.[1]
    if (id === undefined) return MASK
    return Number(id) === about ? '' : address
  })
  return withoutEmails(withoutAddresses)
    .replace(NUMBER, (number) => (SCHOOL_YEAR.test(number) ? number : MASK))
    .trim()
}

// An expression for whole addresses would begin again at each character of a long word.
function withoutEmails(text: string): string {
  const [first = '', ...others] = text.split('@')
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
