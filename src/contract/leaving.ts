import * as s from 'superstruct'
import { BankAccount } from './bank-account.ts'
import { moment } from './values.ts'

/** The last ZIP that was asked for; `size` in bytes, `until` when its link ends. */
const Export = s.type({
  state: s.enums(['making', 'ready', 'failed']),
  until: s.nullable(moment()),
  size: s.nullable(s.number()),
})

/** When an account is deleted, and where the money of its wallet goes. */
export const Deletion = s.type({
  dueAt: moment(),
  account: s.nullable(BankAccount),
  givesUpMoney: s.boolean(),
})
export type Deletion = s.Infer<typeof Deletion>

/** What a person and an administrator see of both. */
export const Leaving = {
  export: s.nullable(Export),
  deletion: s.nullable(Deletion),
}
