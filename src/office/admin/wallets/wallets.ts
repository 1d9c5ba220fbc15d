import { atom } from 'nanostores'
import type { Act } from '../../../contract/office-acts.ts'
import * as wallets from '../../../contract/office-wallets.ts'
import { ask } from '../../kit/backend.ts'
import { idInAddress, ofAddress } from '../../kit/loader.ts'
import { tableOf } from '../../kit/tables/table.ts'
import { waitingFor } from '../acts/acts.ts'

export const walletTable = tableOf(wallets.getCustomerWallet, {
  input: ofAddress('user_not_found'),
})

export const $waitingHere = atom<readonly Act[]>([])

/** Loads what waits for a second person about the customer of this page; a failure shows nothing. */
export async function loadWaitingHere(): Promise<void> {
  const userId = idInAddress()
  if (userId !== null) $waitingHere.set(await waitingFor(userId))
}

export function refreshWallet(): void {
  walletTable.refresh()
  void loadWaitingHere()
}

/**
 * Adjusts a wallet, once for each `key`; whether it waits for a second person. Throws an `ApiError`.
 */
export async function adjustWallet(
  body: { userId: number; amount: number; reason: string },
  key: string,
): Promise<boolean> {
  const { waits } = await ask(wallets.adjustWallet, { body }, { idempotencyKey: key })
  refreshWallet()
  return waits !== null
}
