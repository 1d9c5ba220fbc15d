import { DAY_MS } from '../../rules/durations.ts'
import { dinars, inDinars } from '../../rules/money.ts'
import { INTENTS_KEY } from '../../rules/storage-keys.ts'
import { randomId } from '../shared/browser.ts'
import { persistedJson } from '../shared/persistence.ts'
import { isDecided, problemOf } from '../shared/problem.ts'

// Every call that moves money belongs to an intent with an idempotency key. This browser keeps the
// key across retries, reloads and tabs until the server has decided, so that a lost answer never
// causes a second charge.

/** The purpose of an intent; its call repeats the same body with the same key. */
export type Purpose = 'purchase' | 'order' | 'payment' | 'wallet_pay' | 'direct_pay' | 'top_up'

export interface Intent<B extends object = object> {
  purpose: Purpose
  userId: number
  /** Identifies equal attempts: sorted document ids, or an amount and its method. */
  about: string
  /** Sent unchanged each time: the server refuses a key with another body. */
  body: B
  /** The idempotency key. */
  key: string
  /** In ms since 1970. */
  startedAt: number
  /** Whether an earlier attempt got no answer that excludes that it was carried out. */
  mayBeDone?: boolean
}

export type NewIntent<B extends object> = Pick<Intent<B>, 'purpose' | 'userId' | 'about' | 'body'>

/**
 * How long an open intent is repeated with its key. After that the same purchase is a new intent:
 * the old payment has expired, and documents that were bought are owned and not charged again.
 */
const LIFETIME_MS = DAY_MS

/** The maximum number of stored intents; the oldest are dropped. */
const KEPT = 20

/** The amounts of money in a body: what is paid, or what the buyer was shown. */
const AMOUNTS = ['amount', 'total'] as const
type Amounts = Partial<Record<(typeof AMOUNTS)[number], unknown>>

const $intents = persistedJson<readonly Intent[]>(INTENTS_KEY, [], readIntents, (intents) =>
  intents.map((intent) => withAmounts(intent, inDinars)),
)

const isOpen = ({ startedAt }: Intent) => Math.abs(Date.now() - startedAt) < LIFETIME_MS

/** The open intents of a user for a purpose, the oldest first. */
export function openIntents(purpose: Purpose, userId: number): Intent[] {
  return $intents
    .get()
    .filter((intent) => intent.purpose === purpose && intent.userId === userId && isOpen(intent))
}

/** The open intent that this attempt repeats, or a new one, which is stored. */
export function beginIntent<B extends object>(wanted: NewIntent<B>): Intent<B> {
  const same = openIntents(wanted.purpose, wanted.userId).find(
    ({ about }) => about === wanted.about,
  )
  if (same) return same as Intent<B>
  const intent = { ...wanted, key: randomId(), startedAt: Date.now() }
  $intents.set([...$intents.get().filter(isOpen), intent].slice(-KEPT))
  return intent
}

/** Deletes an intent, once the server has decided about it. */
export function endIntent({ key }: Pick<Intent, 'key'>): void {
  $intents.set($intents.get().filter((intent) => intent.key !== key))
}

/**
 * Sends the call of an intent with its key, and deletes the intent once the server has decided.
 * Throws what `send` throws; after a problem that leaves it undecided (`isDecided`) the intent
 * stays open, and the same attempt repeats it.
 */
export async function withIntent<B extends object, R>(
  wanted: NewIntent<B>,
  send: (body: B, options: { idempotencyKey: string }) => Promise<R>,
): Promise<R> {
  const intent = beginIntent(wanted)
  try {
    const result = await send(intent.body, { idempotencyKey: intent.key })
    endIntent(intent)
    return result
  } catch (error) {
    const problem = problemOf(error)
    if (isDecided(problem)) endIntent(intent)
    else if (!problem.nothingCharged) noteMayBeDone(intent)
    else if (intent.mayBeDone && error instanceof Error) {
      // This attempt has charged nothing, but one before it may have.
      throw Object.assign(error, { nothingCharged: false })
    }
    throw error
  }
}

function noteMayBeDone({ key }: Intent): void {
  $intents.set(
    $intents.get().map((intent) => (intent.key === key ? { ...intent, mayBeDone: true } : intent)),
  )
}

function readIntents(value: unknown): readonly Intent[] {
  const saved = Array.isArray(value) ? value.filter(isIntent) : []
  return saved.map((intent) => withAmounts(intent, dinars))
}

function isBody(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return AMOUNTS.every((name) => {
    const amount = (value as Amounts)[name]
    return amount === undefined || (typeof amount === 'number' && amount >= 0 && amount < 1e9)
  })
}

/** The amounts in a body are saved in dinars, like all saved prices. */
function withAmounts(intent: Intent, convert: (amount: number) => number): Intent {
  const body: Amounts = { ...intent.body }
  for (const name of AMOUNTS) {
    const amount = body[name]
    if (typeof amount === 'number') body[name] = convert(amount)
  }
  return { ...intent, body }
}

function isIntent(value: unknown): value is Intent {
  if (typeof value !== 'object' || value === null) return false
  const { purpose, userId, about, body, key, startedAt } = value as Record<keyof Intent, unknown>
  return (
    typeof purpose === 'string' &&
    Number.isSafeInteger(userId) &&
    typeof about === 'string' &&
    isBody(body) &&
    typeof key === 'string' &&
    /^[\da-f]{32}$/.test(key) &&
    typeof startedAt === 'number'
  )
}
