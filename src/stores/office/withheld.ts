import type { Withheld } from '../../contract/office-withheld.ts'
import * as contract from '../../contract/office-withheld.ts'
import type { Language } from '../../rules/languages.ts'
import type { Millimes } from '../../rules/money.ts'
import { ask } from './backend.ts'
import { saveCsv } from './csv.ts'
import { createChoiceLoader } from './loader.ts'

const loader = createChoiceLoader<Withheld>('tax withheld')
export const $withheld = loader.$state

export const loadWithheld = (year: string): Promise<void> =>
  loader.load(() => ask(contract.getWithheld, { query: { year } }))

/** Saves a year's list as CSV. Throws an `ApiError`. */
export const exportWithheld = (year: string, locale: Language) =>
  saveCsv(ask(contract.exportWithheld, { query: { year, locale } }), `karras-withheld-${year}.csv`)

/** Books a payment to the tax office; the same `key` books it only once. Throws an `ApiError`. */
export const recordTaxPayment = (
  body: { amount: Millimes; paidOn: string; reference: string },
  key: string,
) => ask(contract.recordTaxPayment, { body }, { idempotencyKey: key })
