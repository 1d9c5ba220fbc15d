import { numberedPattern } from './numbered-pages.ts'

const MASK = '[…]'

/** The URL of a page. */
const ADDRESS = /https?:\/\/[^\s<>"'`\u2066-\u2069]+/giu
const DOCUMENT_PAGE = new RegExp(`${numberedPattern('document')}(?![\\p{L}\\p{N}_-])`, 'u')
const EMAIL = /[^\s@<>"']+@[^\s@<>"']+\.[\p{L}\p{N}]+/gu
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
  return text
    .replace(ADDRESS, (address) => {
      const id = DOCUMENT_PAGE.exec(address)?.[1]
      if (id === undefined) return MASK
      return Number(id) === about ? '' : address
    })
    .replace(EMAIL, MASK)
    .replace(NUMBER, (number) => (SCHOOL_YEAR.test(number) ? number : MASK))
    .trim()
}
