import { sql } from 'kysely'
import { DAY_MS, HOUR_MS } from '../../rules/durations.ts'
import {
  CODES_BACK_SHARE,
  CODES_JUDGED_FROM,
  NEWCOMERS_SHARE,
  SLOWED_CODES_PER_HOUR,
} from '../../rules/sms.ts'
import { tunisianDay } from '../../rules/tunisia-time.ts'
import type { Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { createKeptAttempts, type Wanted } from '../http/attempt-counter.ts'
import { fault } from '../http/errors.ts'
import { noteTrouble, noteWorking } from '../troubles/troubles.ts'

type Parts = Pick<Deps, 'database' | 'now' | 'report' | 'secret' | 'sms'>

/**
 * Counts a message to a number that no account has confirmed, before it is queued: it may have at
 * most their share of the shop's day, and few an hour while such codes do not come back. `codeKey`
 * names its code, or, for a message without one, is anything. Throws `no_texts_left`,
 * `too_many_requests`.
 */
export async function countNewcomerText(parts: Parts, codeKey: string): Promise<void> {
  const { database, now, sms } = parts
  if (!sms) throw fault('no_texts_left')
  const attempts = createKeptAttempts(parts)
  const today = `newcomers ${tunisianDay(new Date(now()))}`
  const ofDay: Wanted = [today, { max: Math.floor(sms.perDay * NEWCOMERS_SHARE), windowMs: DAY_MS }]
  if (await isSlowed(parts)) {
    const ofHour = { max: SLOWED_CODES_PER_HOUR, windowMs: HOUR_MS }
    const retryAfter = await attempts.take([['slowed newcomers', ofHour]])
    if (retryAfter > 0) throw fault('too_many_requests', { retryAfter })
  }
  if ((await attempts.take([ofDay])) > 0) throw fault('no_texts_left')
  await database.kysely
    .insertInto('newcomerTexts')
    .values({ codeKey, askedAt: new Date(now()) })
    .execute()
}

/** Notes that the code of a message was typed back. */
export async function noteCameBack(tx: Tx, codeKey: string, now: number): Promise<void> {
  await tx
    .updateTable('newcomerTexts')
    .set({ cameBackAt: new Date(now) })
    .where('codeKey', '=', codeKey)
    .where('cameBackAt', 'is', null)
    .execute()
}

/**
 * Whether messages to newcomers are slowed: since too few of an hour's codes came back, and until
 * enough of an hour's do. The administrators are told when it begins.
 */
export async function isSlowed(parts: Omit<Parts, 'secret'>): Promise<boolean> {
  const { database, now } = parts
  const { rows } = await sql<{ asked: number; back: number; isSlow: boolean }>`
    SELECT count(*)::integer AS asked, count(came_back_at)::integer AS back,
      EXISTS (SELECT FROM upkeep WHERE what = 'codes' AND wrong_since IS NOT NULL) AS is_slow
    FROM newcomer_texts WHERE asked_at > ${new Date(now() - HOUR_MS)}`.execute(database.kysely)
  const { asked = 0, back = 0, isSlow = false } = rows[0] ?? {}
  const isLow = back < asked * CODES_BACK_SHARE
  if (isLow && asked >= CODES_JUDGED_FROM) {
    await noteTrouble(parts, 'codes', `${back} of the last hour's ${asked} codes came back`)
    return true
  }
  if (!isSlow || isLow || asked === 0) return isSlow
  await noteWorking(parts, 'codes')
  return false
}
