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

let asked = 0
let answered = 0

/**
 * Reads the balance. A failure is only logged, and the last known balance stays; so it does where the
 * answer to a later request was here first.
 */
export function loadBalance(): Promise<void> {
  const turn = ++asked
  return reading.load(async (userId) => {
    const { balance } = await ask(({ wallet }) => wallet.getBalance, { query: { userId } })
    if ($session.get()?.userId !== userId || turn < answered) return
    answered = turn
    $savedBalance.set(balance)
  })
}
