import { computed, readonlyType } from 'nanostores'
import { createLoader } from '../account/loader.ts'
import { $session } from '../account/session.ts'
import { $savedBalance } from '../account/user-data.ts'
import { ask } from '../shared/backend.ts'

/** The wallet's balance as the server last gave it; null when unknown. */
export const $balance = readonlyType($savedBalance)

const reading = createLoader<void>('wallet balance')

/** How far reading the balance is on this page. */
export const $balanceLoad = computed(reading.$state, ({ phase }) => phase)

/** Reads the balance. A failure is only logged, and the last known balance stays. */
export function loadBalance(): Promise<void> {
  return reading.load(async (userId) => {
    const { balance } = await ask(({ wallet }) => wallet.getBalance, { query: { userId } })
    if ($session.get()?.userId === userId) $savedBalance.set(balance)
  })
}
