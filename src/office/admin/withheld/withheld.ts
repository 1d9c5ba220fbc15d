import * as contract from '../../../contract/office-withheld.ts'
import type { Language } from '../../../rules/languages.ts'
import type { Millimes } from '../../../rules/money.ts'
import { ask } from '../../kit/backend.ts'
import { saveCsv } from '../../kit/csv.ts'
import { resourceFor } from '../../kit/loader.ts'

export const { $state: $withheld, load: loadWithheld } = resourceFor(
  contract.getWithheld,
  (year: string) => ({ query: { year } }),
)

/** Saves a year's list as CSV. Throws an `ApiError`. */
export const exportWithheld = (year: string, locale: Language) =>
  saveCsv(ask(contract.exportWithheld, { query: { year, locale } }), `karras-withheld-${year}.csv`)

/** Books a payment to the tax office; the same `key` books it only once. Throws an `ApiError`. */
export const recordTaxPayment = (
  body: { amount: Millimes; paidOn: string; reference: string },
  key: string,
) => ask(contract.recordTaxPayment, { body }, { idempotencyKey: key })
