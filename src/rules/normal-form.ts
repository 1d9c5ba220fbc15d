/**
 * Marks beyond the 30 that Unicode's Stream-Safe Text Format (UAX #15) allows in a row; no language
 * has as many. The two letters become marks when they are normalised.
 */
const FURTHER_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/**
 * The text in a normal form of Unicode, with at most 30 marks in a row: to sort these, `normalize`
 * takes a time that grows with the square of their number.
 */
export function normalForm(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return text.replace(FURTHER_MARKS, '$1').normalize(form)
}
