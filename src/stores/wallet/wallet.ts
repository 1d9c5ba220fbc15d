import { computed, readonlyType } from 'nanostores'
import { createLoader } from '../session/loader.ts'
import { $session } from '../session/session.ts'
import { ask } from '../shared/backend.ts'
import { $savedBalance } from '../user-data/user-data.ts'

/** The wallet's balance as the server last returned it; null when unknown. */
export const $balance = readonlyType($savedBalance)

const reading = createLoader<void>('wallet balance')

export const $balanceLoad = computed(reading.$state, ({ phase }) => phase)

let lastRequest = 0
let lastAnswered = 0

/**
 * Loads the balance. A failure is only logged, and the last known balance stays; an answer that
 * arrives after that of a later request is ignored.
 */
export const loadBalance = (): Promise<void> => reading.load(readBalance(++lastRequest))

/** The same, without a sign of it on the page. */
export const refreshBalance = (): Promise<void> => reading.refresh(readBalance(++lastRequest))

const readBalance = (request: number) => async (userId: number) => {
  const { balance } = await ask(({ wallet }) => wallet.getBalance, { query: { userId } })
  if ($session.get()?.userId !== userId || request < lastAnswered) return
  lastAnswered = request
  $savedBalance.set(balance)
}
