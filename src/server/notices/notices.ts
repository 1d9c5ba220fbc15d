import { type Kysely, sql } from 'kysely'
import type { Notices, WaitingGroup } from '../../contract/office-desk.ts'
import { fillText, pluralText } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import type { Texts } from '../../i18n/texts.ts'
import {
  NOTICE_AGAIN_MS,
  NOTICE_EVERY_MS,
  NOTICE_KINDS,
  NOTICES,
  type NoticeKind,
} from '../../rules/upkeep.ts'
import type { Schema } from '../database/schema.ts'
import { lock, type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { enqueueMail, letter, type Part, readMailState, type Writers } from '../mail/mail.ts'
import { changeSetting, readSetting, settingHistory } from '../money/money.ts'
import { actorNames } from '../staff-log/staff-log.ts'
import { readTroubles } from '../troubles/troubles.ts'
import { queuesFor, readUpkeep, readWaiting } from '../waiting/waiting.ts'

/** An id that no administrator has: of the conversations, only those of the common inbox count. */
const NOBODY = 0

/**
 * Queues a mail to each administrator about what has come to wait since the last one; each kind at
 * most once an hour. What lasts is told again a day later. Processes that do this at the same time
 * wait for each other, and only the first one tells.
 */
export async function tellAdministrators(
  deps: Pick<Deps, 'database' | 'jobs' | 'now'>,
): Promise<void> {
  const wanted = await noticesOn(deps)
  if (wanted.length === 0) return
  await transaction(deps.database, async (tx) => {
    await lock(tx, 'notices')
    const now = deps.now()
    const kinds: NoticeKind[] = []
    for (const kind of wanted) {
      if (await isDue(tx, kind, now)) kinds.push(kind)
    }
    if (kinds.length === 0) return
    for (const kind of kinds) await noteTold(tx, kind, now)
    for (const { id } of await administrators(tx)) {
      await enqueueMail(tx, deps.jobs, 'owner_notice', { userId: id, kinds })
    }
  })
}

async function isDue(tx: Tx, kind: NoticeKind, now: number): Promise<boolean> {
  const last = await tx
    .selectFrom('toldNotices')
    .selectAll()
    .where('kind', '=', kind)
    .executeTakeFirst()
  if (last && now - last.toldAt.getTime() < NOTICE_EVERY_MS) return false
  const until = now - NOTICES[kind].afterMs
  const isNew = (since: Date) =>
    since.getTime() <= until && (!last || since.getTime() > last.toldUntil.getTime())
  const lasts = await lastingSince(tx, kind, now)
  if (lasts) {
    const isDaily = !last || now - last.toldAt.getTime() >= NOTICE_AGAIN_MS
    if (isNew(lasts) || (isDaily && lasts.getTime() <= until)) return true
  }
  const queue = QUEUES[kind]
  if (!queue) return false
  const { rows } = await sql<{ isNew: boolean }>`
    SELECT EXISTS (
      SELECT FROM (${queuesFor({ userId: NOBODY, now })[queue]}) AS waits (id, name, amount, since)
      WHERE since <= ${new Date(until)} AND since > ${last?.toldUntil ?? new Date(0)}
    ) AS "isNew"`.execute(tx)
  return rows[0]?.isNew ?? false
}

/** The list of waiting things that a notice is about. */
const QUEUES = {
  transfers: 'transfers',
  documents: 'documents',
  reports: 'reports',
  joining: 'joining',
  payouts: 'payouts',
  returns: 'returns',
  conversations: 'conversations',
  mail: 'mails',
  gateway: null,
  disk: null,
  storage: null,
  backup: null,
} as const satisfies Readonly<Record<NoticeKind, string | null>>

/** Since when the one thing lasts that a notice is about; null: it is about a list, or all is well. */
async function lastingSince(
  db: Kysely<Schema>,
  kind: NoticeKind,
  now: number,
): Promise<Date | null> {
  if (kind === 'backup') return (await readUpkeep(db, now)).backupWaits
  return (await readTroubles(db)).find(({ what }) => what === kind)?.since ?? null
}

async function noteTold(tx: Tx, kind: NoticeKind, now: number): Promise<void> {
  const told = { toldAt: new Date(now), toldUntil: new Date(now - NOTICES[kind].afterMs) }
  await tx
    .insertInto('toldNotices')
    .values({ kind, ...told })
    .onConflict((row) => row.column('kind').doUpdateSet(told))
    .execute()
}

/** Those who can log in to the office. */
function administrators(tx: Tx) {
  return tx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'ADMIN')
    .where('passwordHash', 'is not', null)
    .where('blockedAt', 'is', null)
    .orderBy('id')
    .execute()
}

/**
 * Writes the mail that tells an administrator what waits, as it is when the mail's turn comes; none
 * if somebody has seen to all of it meanwhile.
 */
export function noticeMailWriter(
  deps: Pick<Deps, 'config' | 'database' | 'now'>,
): Pick<Writers, 'owner_notice'> {
  return {
    async owner_notice({ userId, kinds }, texts) {
      const user = await deps.database.kysely
        .selectFrom('users')
        .select(['email', 'locale'])
        .where('id', '=', userId)
        .where('role', '=', 'ADMIN')
        .where('blockedAt', 'is', null)
        .executeTakeFirst()
      if (!user) return null
      const { locale, email } = user
      const { groups } = await readWaiting(deps, userId)
      const told = groups.filter(({ kind }) => kinds.some((each) => isAbout(each, kind)))
      if (told.length === 0) return null
      const sentences = told.map((group) => sentenceOf(texts, locale, group))
      const words = texts[locale].mail.notice
      const parts: Part[] = [
        ...told.map(({ reason }, at) => ({
          text: [sentences[at], reason].filter(Boolean).join('\n'),
        })),
        {
          button: words.button,
          href: `${deps.config.siteUrl}${pathIn(locale, '/office')}`,
        },
        { text: words.off },
      ]
      return letter({
        texts,
        locale,
        to: email,
        subject: fillText(words.subject, { what: sentences[0] ?? '' }),
        title: words.title,
        parts,
      })
    },
  }
}

/** Whether a notice tells of a kind of waiting things: that on mail also of those given up. */
const isAbout = (notice: NoticeKind, kind: WaitingGroup['kind']): boolean =>
  notice === kind || (notice === 'mail' && kind === 'mails')

function sentenceOf(texts: Texts, locale: Locale, { kind, count }: WaitingGroup): string {
  const { waits, kinds } = texts[locale]['office-waiting'].page
  return kind in waits ? waits[kind as keyof typeof waits] : pluralText(locale, kinds, kind, count)
}

const settingOf = (kind: NoticeKind) => `notice_${kind}` as const

async function noticesOn({ database }: Pick<Deps, 'database'>): Promise<NoticeKind[]> {
  const on: NoticeKind[] = []
  for (const kind of NOTICE_KINDS) {
    if ((await readSetting(database.kysely, settingOf(kind))) === 1) on.push(kind)
  }
  return on
}

/**
 * Switches a notice on or off for all administrators. Throws `done_before` if it was switched after
 * the change `seen`; callers that show no change leave that out.
 */
export function switchNotice(
  deps: Pick<Deps, 'database' | 'now'>,
  {
    kind,
    isOn,
    ...change
  }: { kind: NoticeKind; isOn: boolean; actor: string; seen?: number | null },
): Promise<void> {
  return changeSetting(deps, { name: settingOf(kind), value: isOn ? 1 : 0, ...change })
}

/** All notices with who switched them last and when they were sent, and the state of mail. */
export async function readNotices(
  deps: Pick<Deps, 'database' | 'jobs' | 'mail'>,
): Promise<Notices> {
  const { kysely } = deps.database
  const on = await noticesOn(deps)
  const told = await kysely.selectFrom('toldNotices').select(['kind', 'toldAt']).execute()
  const notices: Notices['notices'] = []
  for (const kind of NOTICE_KINDS) {
    const [last] = await settingHistory(kysely, settingOf(kind))
    const names = await actorNames(kysely, last ? [last.actor] : [])
    notices.push({
      kind,
      isOn: on.includes(kind),
      toldAt: told.find((each) => each.kind === kind)?.toldAt.toISOString() ?? null,
      changed: last
        ? { by: names.get(last.actor) ?? last.actor, at: last.setAt.toISOString() }
        : null,
      seen: last?.id ?? null,
    })
  }
  return { mail: await readMailState(deps), notices }
}
