import * as s from 'superstruct'
import { CODE_LENGTH, isCode, readCode } from '../rules/code-text.ts'
import { checked, text } from './values.ts'

/** A code, in any case. */
export const DiscountCode = checked(text(CODE_LENGTH.least, CODE_LENGTH.most, readCode), (code) =>
  isCode(code) ? null : 'pattern',
)

/**
 * The code that a buyer pays with. One that cannot be used for these documents any more takes nothing off: the total
 * that the buyer was shown is then another (`price_changed`); where no total was named, its own error says why.
 */
export const discount = { code: s.optional(DiscountCode) }

/** Why a code takes nothing off. */
export const CODE_ERRORS = [
  'code_unknown',
  'code_not_begun',
  'code_ended',
  'code_used',
  'code_needs_contact',
  'code_not_for_these',
  'code_below_least',
  'too_many_codes',
] as const
