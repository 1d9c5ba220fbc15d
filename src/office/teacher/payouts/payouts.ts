import type { PayoutAccount } from '../../../contract/payouts.ts'
import * as payouts from '../../../contract/payouts.ts'
import type { Millimes } from '../../../rules/money.ts'
import type { Proof } from '../../access/security.ts'
import { ask } from '../../kit/backend.ts'
import { resource } from '../../kit/loader.ts'
import { tableOf } from '../../kit/tables/table.ts'
import { $earnings, loadEarnings, refreshEarnings } from '../earnings/earnings.ts'

/** The earnings, which include the amount that can be paid out. */
export { $earnings, loadEarnings }

export const payoutTable = tableOf(payouts.listPayouts)

const account = resource(payouts.getBankAccount)
/** The bank account for payouts, and how it is protected. */
export const { $state: $bankAccount, load: loadBankAccount } = account

/** Throws an `ApiError`. */
export async function saveBankAccount(values: PayoutAccount, proof: Proof): Promise<void> {
  account.show(await ask(payouts.setBankAccount, { body: { ...values, ...proof } }))
}

/** Requests a payout; the same `key` makes only one request. Throws an `ApiError`. */
export async function askForPayout(amount: Millimes, key: string, proof: Proof): Promise<void> {
  const options = { idempotencyKey: key }
  await ask(payouts.requestPayout, { body: { amount, ...proof } }, options)
  payoutTable.refresh()
  void refreshEarnings()
}

/** Throws an `ApiError`. */
export async function cancelPayout(id: number): Promise<void> {
  const cancelled = await ask(payouts.cancelPayout, { params: { id } })
  payoutTable.put((row) => row.id === id, cancelled)
  void refreshEarnings()
}
