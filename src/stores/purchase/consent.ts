import { atom, readonlyType } from 'nanostores'
import type { Language } from '../../rules/languages.ts'

const $accepted = atom<number | null>(null)

/** The number of the terms that the buyer has accepted on this page; null: none. */
export const $acceptedTerms = readonlyType($accepted)

export function acceptTerms(terms: number | null): void {
  $accepted.set(terms)
}

const $notice = atom<Language | null>(null)

/** Called where a buyer is shown that what is delivered at once cannot be given back. */
export function noticeShown(locale: Language): void {
  $notice.set(locale)
}

/** What the buyer agrees to, for the calls of a purchase. */
export function consentNow(): { acceptedTerms?: number; notice?: Language } {
  const terms = $accepted.get()
  const notice = $notice.get()
  return { ...(notice && { notice }), ...(terms !== null && { acceptedTerms: terms }) }
}
