/** The longest text that is kept, in characters. */
export const KEPT_SEARCH_MAX_LENGTH = 60

/** So many digits may be a phone number. */
const DIGITS_MOST = 5

/**
 * Whether a search must not be kept: too short or too long to say what somebody looked for, or perhaps an
 * e-mail address, a link, or a phone number. `words`: the text, folded.
 */
export function isKeptOut(text: string, words: string): boolean {
  if (words.length < 2 || words.length > KEPT_SEARCH_MAX_LENGTH) return true
  if (/[@＠]|:\/\/|\bwww\b/i.test(text)) return true
  return words.replace(/\P{N}/gu, '').length > DIGITS_MOST
}
