import { type Kysely, sql } from 'kysely'
import {
  DEFAULT_HOLD_DAYS,
  DEFAULT_PAYOUT_MINIMUM,
  HOLD_DAYS_MAX,
  PAYOUT_MINIMUM_LEAST,
  PAYOUT_MINIMUM_MOST,
  WITHHOLDING_PERCENT_MAX,
} from '../../rules/payouts.ts'
import { DEFAULT_SHARE_PERCENT, SHARE_PERCENT_MAX, SHARE_PERCENT_MIN } from '../../rules/shares.ts'
import type { PlainSetting } from '../../rules/shop-settings.ts'
import { BOUND_MAX, BOUNDED_KINDS, BOUNDS, type BoundName } from '../../rules/two-people.ts'
import type { Schema } from '../database/schema.ts'
import { lock, type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { type ApiFault, fault } from '../http/errors.ts'
import { actorNames, logStaff } from '../staff-log/staff-log.ts'

interface Setting {
  readonly fallback: number
  readonly least: number
  readonly most: number
}

const SWITCH = { fallback: 1, least: 0, most: 1 } as const

/** Up to how much one administrator acts alone; only `setBound` and its confirmation change them. */
const BOUND_SETTINGS = Object.fromEntries(
  BOUNDED_KINDS.flatMap((kind) => [
    [`bound_${kind}`, { fallback: BOUNDS[kind].act, least: 0, most: BOUND_MAX }],
    [`bound_${kind}_day`, { fallback: BOUNDS[kind].day, least: 0, most: BOUND_MAX }],
  ]),
) as Readonly<Record<BoundName, Setting>>

/** What the operator may set, each a whole number: percent, days, millimes; 1 for on, 0 for off. */
const SETTINGS: Readonly<Record<PlainSetting | BoundName, Setting>> = {
  share_percent: {
    fallback: DEFAULT_SHARE_PERCENT,
    least: SHARE_PERCENT_MIN,
    most: SHARE_PERCENT_MAX,
  },
  hold_days: { fallback: DEFAULT_HOLD_DAYS, least: 0, most: HOLD_DAYS_MAX },
  payout_minimum: {
    fallback: DEFAULT_PAYOUT_MINIMUM,
    least: PAYOUT_MINIMUM_LEAST,
    most: PAYOUT_MINIMUM_MOST,
  },
  /** What is withheld of a teacher's payouts, in hundredths of a percent. */
  withholding: { fallback: 0, least: 0, most: 100 * WITHHOLDING_PERCENT_MAX },
  /** Whether bought PDFs are handed out with a footer. */
  stamp: SWITCH,
  /** Whether administrators are told by mail what waits. */
  notice_acts: SWITCH,
  notice_sums: SWITCH,
  notice_transfers: SWITCH,
  notice_documents: SWITCH,
  notice_reports: SWITCH,
  notice_joining: SWITCH,
  notice_payouts: SWITCH,
  notice_returns: SWITCH,
  notice_bundles: SWITCH,
  notice_conversations: SWITCH,
  notice_mail: SWITCH,
  notice_gateway: SWITCH,
  notice_codes: SWITCH,
  notice_disk: SWITCH,
  notice_storage: SWITCH,
  notice_backup: SWITCH,
  ...BOUND_SETTINGS,
}

type SettingName = PlainSetting | BoundName

/** The value in force for the whole shop, or for one teacher. */
export async function readSetting(
  db: Kysely<Schema>,
  name: SettingName,
  teacherId: number | null = null,
): Promise<number> {
  const { rows } = await sql<{ value: number | null }>`
    SELECT coalesce(
      (SELECT value FROM settings WHERE name = ${name} AND teacher_id = ${teacherId}::integer
        ORDER BY id DESC LIMIT 1),
      (SELECT value FROM settings WHERE name = ${name} AND teacher_id IS NULL
        ORDER BY id DESC LIMIT 1)) AS value`.execute(db)
  return rows[0]?.value ?? SETTINGS[name].fallback
}

/** What is withheld of a teacher's payouts, in percent. */
export async function withholdingOf(db: Kysely<Schema>, teacherId: number): Promise<number> {
  return (await readSetting(db, 'withholding', teacherId)) / 100
}

interface NewSetting {
  readonly name: SettingName
  /** null: for the whole shop. */
  readonly teacherId?: number | null
  /** null: removes it, so that the shop's value holds for a teacher, and the default for the shop. */
  readonly value: number | null
  readonly actor: string
  readonly reason?: string
  /** The last change that the actor saw; null: there was none; left out by callers that show none. */
  readonly seen?: number | null
}

/**
 * Changes a setting from now on. Throws `invalid_input`, `teacher_not_found`, and `done_before` where the
 * setting was changed after the change `seen`.
 */
export async function changeSetting(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  change: NewSetting,
): Promise<void> {
  const { name, value } = change
  const { least, most } = SETTINGS[name]
  if (value !== null && !(Number.isSafeInteger(value) && value >= least && value <= most)) {
    const message = `${name} takes a whole number from ${least} to ${most}.`
    throw fault('invalid_input', { message, fields: { value: value < least ? 'min' : 'max' } })
  }
  await transaction(database, (tx) => changeWithin(tx, now, change))
}

/** The same within a transaction of the caller. */
export async function changeWithin(
  tx: Tx,
  now: Deps['now'],
  { name, teacherId = null, value, actor, reason = '', seen }: NewSetting,
): Promise<void> {
  if (teacherId !== null) {
    const teacher = await tx
      .selectFrom('teachers')
      .select('id')
      .where('id', '=', teacherId)
      .executeTakeFirst()
    if (!teacher) {
      throw fault('teacher_not_found', { message: `There is no teacher ${teacherId}.` })
    }
  }
  await lock(tx, `setting ${name} ${teacherId}`)
  const last = await lastChange(tx, name, teacherId)
  if (last && seen !== undefined && seen !== last.id) throw await changedBefore(tx, last)
  await tx
    .insertInto('settings')
    .values({ name, teacherId, value, setAt: new Date(now()), actor, reason })
    .execute()
  const subject = teacherId === null ? { kind: 'shop' } : { kind: 'teacher', id: teacherId }
  const entry = `${name} = ${value ?? 'the default'}${reason && `: ${reason}`}`
  await logStaff(tx, { actor, action: 'change setting', subject, reason: entry })
}

function lastChange(tx: Tx, name: SettingName, teacherId: number | null) {
  return tx
    .selectFrom('settings')
    .select(['id', 'actor', 'setAt'])
    .where('name', '=', name)
    .where('teacherId', 'is not distinct from', teacherId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

async function changedBefore(
  tx: Tx,
  { actor, setAt }: { actor: string; setAt: Date },
): Promise<ApiFault> {
  const names = await actorNames(tx, [actor])
  return fault('done_before', {
    done: { by: names.get(actor) ?? actor, at: setAt.toISOString() },
  })
}

/** The last values that were set, newest first. */
export function settingHistory(db: Kysely<Schema>, name: SettingName) {
  return db
    .selectFrom('settings')
    .select(['id', 'teacherId', 'value', 'setAt', 'actor', 'reason'])
    .where('name', '=', name)
    .orderBy('id', 'desc')
    .limit(HISTORY_SHOWN)
    .execute()
}

/** How many changes of a setting are listed. */
const HISTORY_SHOWN = 50
