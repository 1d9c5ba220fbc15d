import { atom } from 'nanostores'
import type { Adjustment } from '../../contract/office-wallets.ts'
import * as wallets from '../../contract/office-wallets.ts'
import { ADJUSTMENT_STATES } from '../../rules/ledger.ts'
import { Refusal } from '../shared/problem.ts'
import { ask } from './backend.ts'
import { idInAddress } from './loader.ts'
import { choiceOf, createTable } from './table.ts'

export const walletTable = createTable({
  what: 'a customer’s wallet',
  load: ({ page }, signal) => {
    const id = idInAddress()
    if (id === null) throw new Refusal('user_not_found', 404)
    return ask(wallets.getCustomerWallet, { params: { id }, query: { page } }, { signal })
  },
})

/** Adjustments: those that wait for a second person, or those in another state. */
export const adjustmentTable = createTable({
  what: 'adjustments',
  filters: ['state'],
  load: ({ page, state }, signal) => {
    const query = {
      page,
      state: choiceOf('state', state, ADJUSTMENT_STATES).state ?? ('proposed' as const),
    }
    return ask(wallets.listAdjustments, { query }, { signal })
  },
})

export const $waitingHere = atom<readonly Adjustment[]>([])

/** Loads the proposed adjustments for the customer of this page; a failure changes nothing. */
export async function loadWaitingHere(): Promise<void> {
  const userId = idInAddress()
  if (userId === null) return
  const query = { state: 'proposed', userId } as const
  const found = await ask(wallets.listAdjustments, { query }).catch(() => null)
  if (found) $waitingHere.set(found.content)
}

export function refreshWallet(): void {
  walletTable.refresh()
  void loadWaitingHere()
}

/** Adjusts a wallet, or proposes to; the same `key` does so only once. Throws an `ApiError`. */
export async function adjustWallet(
  body: { userId: number; amount: number; reason: string },
  key: string,
): Promise<Adjustment> {
  const adjustment = await ask(wallets.adjustWallet, { body }, { idempotencyKey: key })
  refreshWallet()
  return adjustment
}

/** Decides about a proposed adjustment; `refresh` reloads the list that showed it. */
export async function decideAdjustment(
  { id, key, refresh }: { id: number; key: string; refresh: () => void },
  decision: { act: 'confirm' } | { act: 'withdraw' } | { act: 'refuse'; reason: string },
): Promise<void> {
  const params = { id }
  try {
    if (decision.act === 'confirm') {
      await ask(wallets.confirmAdjustment, { params }, { idempotencyKey: key })
    } else if (decision.act === 'withdraw') await ask(wallets.withdrawAdjustment, { params })
    else await ask(wallets.refuseAdjustment, { params, body: { reason: decision.reason } })
  } finally {
    refresh()
  }
}
