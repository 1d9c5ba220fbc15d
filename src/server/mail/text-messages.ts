import { sql } from 'kysely'
import { fillText } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import type { Texts } from '../../i18n/texts.ts'
import { fitsOneMessage, plainMessage } from '../../rules/sms.ts'
import { startOfDay, tunisianDay } from '../../rules/tunisia-time.ts'
import { type Sms, SmsError } from '../carriers/carriers.ts'
import type { Tx } from '../database/transaction.ts'
import { lock, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { createKeptAttempts } from '../http/attempt-counter.ts'
import { ALLOWANCES, ofPhone } from '../http/rate-limits.ts'
import { JobFailed } from '../jobs/jobs.ts'

type Parts = Pick<Deps, 'database' | 'now' | 'report' | 'secret' | 'sms'>

/** The text of a message, with the shop's name before it where there is room. */
export function shortMessage(
  texts: Texts,
  locale: Locale,
  kind: keyof Texts[Locale]['sms'],
  values: Readonly<Record<string, string | number>> = {},
): string {
  const { sms, brand } = texts[locale]
  const text = plainMessage(fillText(sms[kind], values))
  const named = `${plainMessage(brand.name)}: ${text}`
  return fitsOneMessage(named) ? named : text
}

/** What comes once: it is noted as sent before it is handed over, so that it may be lost instead. */
export interface Once {
  /** Notes it; false if that has been done before, or it is no longer wanted. */
  take(): Promise<boolean>
  /** Takes the note back, where it was certainly not sent. */
  giveBack(): Promise<void>
}

/** A text message; a code was counted against its number when somebody asked for it. */
export interface WrittenSms extends Sms {
  readonly isCode: boolean
  readonly once?: Once
}

/**
 * Sends the text message of a job, once: what a gateway may have taken is not sent again, whether it
 * did not answer or the process ended meanwhile. The job is then given up, and waits for an
 * administrator. Where the shop cannot reach phones, nothing is sent.
 */
export async function sendText(
  parts: Parts,
  jobId: string,
  { isCode, ...sms }: WrittenSms,
): Promise<void> {
  const { database, sms: gateway } = parts
  if (!gateway) return
  const refuse = (reason: string, isFinal: boolean) =>
    new JobFailed(reason, { to: sms.phone, isFinal })
  const attempts = createKeptAttempts(parts)
  const ofNumber = ofPhone(ALLOWANCES, sms.phone)
  if (!isCode && (await attempts.take(ofNumber)) > 0) {
    throw refuse('this number has had too many messages lately', false)
  }
  const claim = await transaction(database, (tx) => claimJob(tx, parts, jobId, gateway.perDay))
  if (claim === 'used') throw refuse('the shop ended while it was sent: it may have arrived', true)
  if (!fitsOneMessage(sms.text)) parts.report('A text message is paid as several: its text is long')
  const isFull = claim === 'full'
  try {
    if (isFull) throw new SmsError('the messages of the day are used up (SMS_PER_DAY)', true)
    await gateway.send(sms)
  } catch (error) {
    const isUnsent = error instanceof SmsError && error.isUnsent
    if (isUnsent && !isFull) {
      await database.kysely.deleteFrom('sentTexts').where('jobId', '=', jobId).execute()
    }
    if (isUnsent && !isCode) await attempts.giveBack(ofNumber)
    throw refuse(error instanceof SmsError ? error.message : 'not sent', !isUnsent)
  }
}

/** Notes that the message is on its way before it is: `used` if it was already, `full` after the last one of the day. */
async function claimJob(
  tx: Tx,
  { now }: Pick<Parts, 'now'>,
  jobId: string,
  perDay: number,
): Promise<'claimed' | 'used' | 'full'> {
  await lock(tx, 'text messages')
  const used = tx.selectFrom('sentTexts').select('jobId').where('jobId', '=', jobId)
  if (await used.executeTakeFirst()) return 'used'
  if ((await countToday(tx, now())) >= perDay) return 'full'
  await tx
    .insertInto('sentTexts')
    .values({ jobId, sentAt: new Date(now()) })
    .execute()
  return 'claimed'
}

/** Whether the shop may still send a message today. */
export async function hasTextsLeft({ database, now, sms }: Parts): Promise<boolean> {
  return sms !== null && (await countToday(database.kysely, now())) < sms.perDay
}

async function countToday(db: Deps['database']['kysely'], now: number): Promise<number> {
  const { rows } = await sql<{ sent: number }>`
    SELECT count(*)::integer AS sent FROM sent_texts
    WHERE sent_at >= ${startOfDay(tunisianDay(new Date(now)))}`.execute(db)
  return rows[0]?.sent ?? 0
}
