/** The longest search text that is stored, in characters. */
export const KEPT_SEARCH_MAX_LENGTH = 60

/** A text with more digits may contain a phone number. */
const DIGITS_MOST = 5

/**
 * Whether a search must not be stored: it is too short or too long to be useful, or it may contain
 * an e-mail address, a link or a phone number. `words` is the folded text.
 */
export function mustNotBeStored(text: string, words: string): boolean {
  if (words.length < 2 || words.length > KEPT_SEARCH_MAX_LENGTH) return true
  if (/[@＠]|:\/\/|\bwww\b/i.test(text)) return true
  return words.replace(/\P{N}/gu, '').length > DIGITS_MOST
}
