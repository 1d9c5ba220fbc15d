import { setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { MINUTE_MS, SECOND_MS } from '../../rules/durations.ts'
import type { Database } from '../database/pool.ts'
import type { Deps } from '../deps.ts'
import { GatewayError } from './gateways/gateway.ts'
import { findPayment, type Payment } from './payments.ts'
import { settle } from './settle.ts'

/** The pause between two looks at the gateway for one payment; it doubles with each. */
export const LOOK_PAUSE_MS = 2 * SECOND_MS
export const LOOK_PAUSE_MAX_MS = 30 * SECOND_MS

/** After so long without a look, the next pause is the first one again. */
const FORGOTTEN_AFTER_MS = 5 * MINUTE_MS

/** Looks that this process remembers; beyond it the oldest are forgotten. */
const MOST_REFERENCES = 10_000

interface Look {
  /** When it ended. */
  readonly at: number
  readonly pause: number
  /** Whether the poller will look when the pause is over. */
  isNoted: boolean
}

interface Looks {
  /** By the gateway's reference. */
  readonly underWay: Map<string, Promise<Payment | null>>
  readonly ended: LRUCache<string, Look>
}

const looksOf = new WeakMap<Database, Looks>()

/**
 * Asks the gateway for a payment that may have been paid, as a webhook, a returning browser or a page
 * says. However many those are, one look at the gateway is on its way for a reference (`settle`), and
 * between two there is a pause; what was said meanwhile is left to the poller. Answers the payment as
 * it is known afterwards, null if it is not known. `mayAsk` decides about a look for a reference
 * that is not known; by default there is none. Never throws for a gateway that cannot be asked.
 */
export async function askGateway(
  deps: Deps,
  reference: string,
  mayAsk: () => boolean = () => false,
): Promise<Payment | null> {
  const known = await findPayment(deps.database.kysely, reference)
  if (known && (known.status === 'paid' || known.gatewayReference === null)) return known
  const name = known?.gatewayReference ?? reference
  const looks = looksOf.get(deps.database) ?? {
    underWay: new Map(),
    ended: new LRUCache<string, Look>({ max: MOST_REFERENCES }),
  }
  looksOf.set(deps.database, looks)

  const running = looks.underWay.get(name)
  if (running) {
    const payment = (await running) ?? known ?? null
    // The payment may have been made after that look was answered.
    await note(deps, payment, looks.ended.get(name))
    return payment
  }
  const last = looks.ended.get(name)
  if (last && deps.now() < last.at + last.pause) {
    await note(deps, known, last)
    return known ?? null
  }
  if (!known && !mayAsk()) return null
  // Registered before anything is waited for: later callers share it, or its pause.
  const look = settleIfReachable(deps, reference).finally(() => {
    looks.underWay.delete(name)
    remember(looks.ended, name, deps.now())
  })
  looks.underWay.set(name, look)
  return (await look) ?? known ?? null
}

async function settleIfReachable(deps: Deps, reference: string): Promise<Payment | null> {
  try {
    return await settle(deps, reference)
  } catch (error) {
    if (error instanceof GatewayError) return null
    throw error
  }
}

function remember(looks: Looks['ended'], name: string, at: number): void {
  const last = looks.get(name)
  const isRecent = last !== undefined && at - last.at < FORGOTTEN_AFTER_MS
  const pause = isRecent ? Math.min(2 * last.pause, LOOK_PAUSE_MAX_MS) : LOOK_PAUSE_MS
  looks.set(name, { at, pause, isNoted: false })
}

/** How long a browser waits at most; the work goes on without it. */
const PATIENCE_MS = 3 * SECOND_MS

/** The same for a browser that waits for the answer: null after `PATIENCE_MS`. */
export async function askGatewaySoon(
  ...request: Parameters<typeof askGateway>
): Promise<Payment | null> {
  const enough = new AbortController()
  const work = askGateway(...request)
  // A failure after the wait must not end the process.
  work.catch(() => {})
  const result = await Promise.race([
    work,
    wait(PATIENCE_MS, null, { signal: enough.signal, ref: false }).catch(() => null),
  ])
  enough.abort()
  return result
}

/** Asks the poller to look after the pause, once a pause; stored, so that a kill does not lose it. */
async function note(
  { database, now }: Deps,
  payment: Payment | null | undefined,
  look: Look | undefined,
): Promise<void> {
  if (!payment || payment.status === 'paid' || look?.isNoted) return
  if (look) look.isNoted = true
  const at = new Date(look ? look.at + look.pause : now() + LOOK_PAUSE_MS)
  await database.kysely
    .updateTable('payments')
    .set({ nextCheckAt: at })
    .where('id', '=', payment.id)
    .where('status', '<>', 'paid')
    .where((row) => row.or([row('nextCheckAt', 'is', null), row('nextCheckAt', '>', at)]))
    .execute()
}
