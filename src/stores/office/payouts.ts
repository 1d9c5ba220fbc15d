import type { PayoutAccount } from '../../contract/payouts.ts'
import * as payouts from '../../contract/payouts.ts'
import type { Millimes } from '../../rules/money.ts'
import { ask } from './backend.ts'
import { $earnings, loadEarnings, refreshEarnings } from './earnings.ts'
import { createLoader } from './loader.ts'
import { createTable } from './table.ts'

/** The earnings, which include the amount that can be paid out. */
export { $earnings, loadEarnings }

export const payoutTable = createTable({
  what: 'payouts',
  sorts: ['-requestedAt'],
  load: ({ page }, signal) => ask(payouts.listPayouts, { query: { page } }, { signal }),
})

const account = createLoader<PayoutAccount | null>('bank account')
/** The bank account for payouts; null until the teacher has entered one. */
export const $bankAccount = account.$state

export function loadBankAccount(): Promise<void> {
  return account.load(async () => (await ask(payouts.getBankAccount, {})).account)
}

/** Throws an `ApiError`. */
export async function saveBankAccount(body: PayoutAccount): Promise<void> {
  const saved = await ask(payouts.setBankAccount, { body })
  account.show(saved.account)
}

/** Requests a payout; the same `key` makes only one request. Throws an `ApiError`. */
export async function askForPayout(amount: Millimes, key: string): Promise<void> {
  const options = { idempotencyKey: key }
  await ask(payouts.requestPayout, { body: { amount } }, options)
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
