import * as s from 'superstruct'
import { isRib, ribDigits } from '../rules/rib.ts'
import { NAME_MAX_LENGTH } from '../rules/validators.ts'
import { checked, fromText, nameText } from './values.ts'

/** A bank account number (RIB) in any notation, read as its 20 digits. */
export function rib(): s.Struct<string, null> {
  const digits = checked(s.string(), (value) => {
    if (value === '') return 'required'
    return isRib(value) ? null : 'pattern'
  })
  return fromText(digits, ribDigits)
}

/** A bank account to which the shop pays. */
export const BankAccount = s.type({
  /** The holder of the account, as registered at the bank. */
  holder: nameText(1, NAME_MAX_LENGTH),
  rib: rib(),
})
export type BankAccount = s.Infer<typeof BankAccount>
