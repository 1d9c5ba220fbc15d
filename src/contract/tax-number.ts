import type * as s from 'superstruct'
import { FACT_MAX_LENGTH, taxNumberProblem } from '../rules/site-facts.ts'
import { readTaxNumber } from '../rules/tax-number.ts'
import { checked, fromText, text } from './values.ts'

/** A Tunisian tax number (matricule fiscal) in any notation; '' for none. */
export function taxNumber(): s.Struct<string, null> {
  return fromText(
    checked(text(0, FACT_MAX_LENGTH), (typed) => (typed === '' ? null : taxNumberProblem(typed))),
    (typed) => readTaxNumber(typed) ?? typed,
  )
}
