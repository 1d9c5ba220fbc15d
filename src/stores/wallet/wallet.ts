import { atom, computed, readonlyType } from 'nanostores'
import { $session } from '../account/session.ts'
import { $balanceInDinars, inMillimes } from '../account/user-data.ts'
import { ask } from '../shared/backend.ts'
import { logOnly } from '../shared/problem.ts'

/** The wallet's balance in millimes, as last told; null when unknown. */
export const $balance = computed($balanceInDinars, inMillimes)

const $load = atom<'idle' | 'loading' | 'ready' | 'failed'>('idle')
export const $balanceLoad = readonlyType($load)

/** Asks for the balance. A failure is only logged (section 8), and the last known balance stays. */
export async function loadBalance(): Promise<void> {
  const userId = $session.get()?.userId
  if (userId === undefined) return
  $load.set('loading')
  try {
    const { balance } = await ask(({ wallet }) => wallet.getBalance, { query: { userId } })
    if ($session.get()?.userId === userId) $balanceInDinars.set(balance)
    $load.set('ready')
  } catch (error) {
    logOnly('wallet balance')(error)
    $load.set('failed')
  }
}
