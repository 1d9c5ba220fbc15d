import { setTimeout as wait } from 'node:timers/promises'
import { MINUTE_MS, SECOND_MS } from '../../rules/durations.ts'
import type { Deps, EndedCheck } from '../deps.ts'
import { GatewayError } from '../gateways/gateways.ts'
import { findPayment, type Payment } from './payments.ts'
import { settle } from './settle.ts'

/** The pause between two checks of one payment at the gateway; it doubles with each. */
export const CHECK_PAUSE_MS = 2 * SECOND_MS
export const CHECK_PAUSE_MAX_MS = 30 * SECOND_MS

/** After this long without a check, the next pause is the shortest again. */
const FORGOTTEN_AFTER_MS = 5 * MINUTE_MS

/**
 * Checks at the gateway whether a payment was made, after a signal from a webhook, a returning browser or a
 * page. Checks of one reference run one at a time (`settle`), with a pause between two; the poller follows up
 * a signal during the pause. Resolves to the payment as it is known afterwards, or to null. `mayAsk` allows
 * the check of an unknown reference, which is not checked by default. An unreachable gateway is not an error.
 */
async function checkPayment(
  deps: Deps,
  reference: string,
  mayAsk: () => boolean = () => false,
): Promise<Payment | null> {
  const known = await findPayment(deps.database.kysely, reference)
  if (known && (known.status === 'paid' || known.gatewayReference === null)) return known
  const name = known?.gatewayReference ?? reference
  const { checks, checked } = deps.payments

  const running = checks.get(name)
  if (running) {
    const payment = (await running) ?? known ?? null
    // The payment may have been made after the gateway answered that check.
    await scheduleCheck(deps, payment, checked.get(name))
    return payment
  }
  const last = checked.get(name)
  if (last && deps.now() < last.at + last.pause) {
    await scheduleCheck(deps, known, last)
    return known ?? null
  }
  if (!known && !mayAsk()) return null
  // Registered before the first await, so that later callers share this check or respect the pause after it.
  const check = settleIfReachable(deps, reference).finally(() => {
    checks.delete(name)
    const at = deps.now()
    checked.set(name, { at, pause: pauseAfter(checked.get(name), at), isScheduled: false })
  })
  checks.set(name, check)
  return (await check) ?? known ?? null
}

async function settleIfReachable(deps: Deps, reference: string): Promise<Payment | null> {
  try {
    return await settle(deps, reference)
  } catch (error) {
    if (error instanceof GatewayError) return null
    throw error
  }
}

function pauseAfter(last: EndedCheck | undefined, at: number): number {
  const isRecent = last !== undefined && at - last.at < FORGOTTEN_AFTER_MS
  return isRecent ? Math.min(2 * last.pause, CHECK_PAUSE_MAX_MS) : CHECK_PAUSE_MS
}

/** How long a browser waits at most; the check continues after that. */
const PATIENCE_MS = 3 * SECOND_MS

/** Does `checkPayment` for a browser that waits for the answer: resolves to null after `PATIENCE_MS`. */
export async function checkPaymentSoon(
  ...request: Parameters<typeof checkPayment>
): Promise<Payment | null> {
  const answered = new AbortController()
  const work = checkPayment(...request)
  // A failure after the wait must not end the process.
  work.catch(() => {})
  const result = await Promise.race([
    work,
    wait(PATIENCE_MS, null, { signal: answered.signal, ref: false }).catch(() => null),
  ])
  answered.abort()
  return result
}

/**
 * Schedules one check by the poller for the end of the pause, in the database, so that a killed process does
 * not lose it.
 */
async function scheduleCheck(
  { database, now }: Deps,
  payment: Payment | null | undefined,
  last: EndedCheck | undefined,
): Promise<void> {
  if (!payment || payment.status === 'paid' || last?.isScheduled) return
  if (last) last.isScheduled = true
  const at = new Date(last ? last.at + last.pause : now() + CHECK_PAUSE_MS)
  await database.kysely
    .updateTable('payments')
    .set({ nextCheckAt: at })
    .where('id', '=', payment.id)
    .where('status', '<>', 'paid')
    .where((row) => row.or([row('nextCheckAt', 'is', null), row('nextCheckAt', '>', at)]))
    .execute()
}
