import { dinars, type Millimes } from './money.ts'
import { plainSigns } from './pasted-text.ts'
import { parseDinars, referenceStart } from './typed-numbers.ts'

/** How many rows of each kind the search of the whole office answers. */
export const FOUND_AT_MOST = 5

/** What a search text may mean besides a person: an amount, an order, a receipt, a payment. */
interface Meanings {
  /** The first characters of a payment's reference. */
  readonly reference: string | null
  readonly amount: Millimes | null
  /** The number of an order or a receipt. */
  readonly number: number | null
}

/** What a search text may mean; a number with decimals or a currency is an amount. */
export function meaningsOf(text: string): Meanings {
  const amount = parseDinars(text)
  // NFKC writes № as No.
  const [, digits] = /^(?:#|no\.?|n°)? ?(\d{1,9})$/i.exec(plainSigns(text)) ?? []
  return {
    reference: referenceStart(text),
    amount: amount === null ? null : dinars(amount),
    number: digits && Number(digits) > 0 ? Number(digits) : null,
  }
}
