import type { OwnBankAccount, PayoutAccount } from '../../contract/payouts.ts'
import * as payouts from '../../contract/payouts.ts'
import type { Millimes } from '../../rules/money.ts'
import { ask } from './backend.ts'
import { $earnings, loadEarnings, refreshEarnings } from './earnings.ts'
import { createLoader } from './loader.ts'
import type { Proof } from './security.ts'
import { createTable } from './table.ts'

/** The earnings, which include the amount that can be paid out. */
export { $earnings, loadEarnings }

export const payoutTable = createTable({
  what: 'payouts',
  sorts: ['-requestedAt'],
  load: ({ page }, signal) => ask(payouts.listPayouts, { query: { page } }, { signal }),
})

const account = createLoader<OwnBankAccount>('bank account')
/** The bank account for payouts, and how it is protected. */
export const $bankAccount = account.$state

export function loadBankAccount(): Promise<void> {
  return account.load(() => ask(payouts.getBankAccount, {}))
}

/** Throws an `ApiError`. */
export async function saveBankAccount(values: PayoutAccount, proof: Proof): Promise<void> {
  account.show(await ask(payouts.setBankAccount, { body: { ...values, ...proof } }))
}

/** Requests a payout; the same `key` makes only one request. Throws an `ApiError`. */
export async function askForPayout(amount: Millimes, key: string, proof: Proof): Promise<void> {
  const options = { idempotencyKey: key }
  await ask(payouts.requestPayout, { body: { amount, ...proof } }, options)
  refreshAll()
}

/** Throws an `ApiError`. */
export async function cancelPayout(id: number): Promise<void> {
  await ask(payouts.cancelPayout, { params: { id } })
  refreshAll()
}

function refreshAll(): void {
  payoutTable.refresh()
  void refreshEarnings()
}
