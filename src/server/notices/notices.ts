import { type Kysely, sql } from 'kysely'
import type { Notices, WaitingGroup } from '../../contract/office-desk.ts'
import { fillText, isolate, pluralText, priceText } from '../../i18n/format.ts'
import { DEFAULT_LOCALE, type Locale } from '../../i18n/locales.ts'
import { actDetail } from '../../i18n/office-log.ts'
import { pathIn } from '../../i18n/paths.ts'
import type { Texts } from '../../i18n/texts.ts'
import { DAY_MS } from '../../rules/durations.ts'
import { actorText } from '../../rules/office-actions.ts'
import { readableRib } from '../../rules/rib.ts'
import {
  NOTICE_AGAIN_MS,
  NOTICE_EVERY_MS,
  NOTICE_KINDS,
  NOTICES,
  type NoticeKind,
} from '../../rules/upkeep.ts'
import type { Schema } from '../database/schema.ts'
import { administratorsIn } from '../database/sql-parts.ts'
import { lock, type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import {
  enqueueMail,
  letter,
  type Part,
  type Reader,
  readMailState,
  type Writers,
} from '../mail/mail.ts'
import {
  changeSetting,
  raisedBy,
  readSetting,
  settingHistory,
  sumsByActor,
} from '../money/money.ts'
import { ownerAddress, readFacts } from '../site-texts/site-texts.ts'
import { actorNames, userActor } from '../staff-log/staff-log.ts'
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
  await transaction(deps.database, async (tx) => {
    await lock(tx, 'notices')
    const now = deps.now()
    const kinds: NoticeKind[] = []
    for (const kind of NOTICE_KINDS) {
      const isTold = wanted.includes(kind) || OF_TWO.includes(kind)
      if (isTold && (await isDue(tx, kind, now))) kinds.push(kind)
    }
    if (kinds.length === 0) return
    for (const kind of kinds) await noteTold(tx, kind, now)
    const on = kinds.filter((kind) => wanted.includes(kind))
    for (const { id } of on.length > 0 ? await administratorsIn(tx).select('id').execute() : []) {
      await enqueueMail(tx, deps.jobs, 'owner_notice', { userId: id, kinds: on })
    }
    const ofTwo = kinds.filter((kind) => OF_TWO.includes(kind))
    if (ofTwo.length > 0) {
      await enqueueMail(tx, deps.jobs, 'owner_notice', { userId: null, kinds: ofTwo })
    }
  })
}

/** What the owner is told of as well, whichever notices administrators switch off. */
const OF_TWO: readonly NoticeKind[] = ['acts', 'sums']

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
  acts: 'acts',
  sums: null,
  transfers: 'transfers',
  documents: 'documents',
  reports: 'reports',
  joining: 'joining',
  payouts: 'payouts',
  returns: 'returns',
  bundles: 'bundles',
  conversations: 'conversations',
  mail: 'mails',
  codes: null,
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
  if (kind === 'sums') return firstActWithin(db, now)
  return (await readTroubles(db)).find(({ what }) => what === kind)?.since ?? null
}

/** When somebody of the shop first did an act within the last day. */
async function firstActWithin(db: Kysely<Schema>, now: number): Promise<Date | null> {
  const first = await db
    .selectFrom('acts')
    .select('decidedAt')
    .where('state', '=', 'done')
    .where('decidedAt', '>', new Date(now - DAY_MS))
    .orderBy('decidedAt')
    .limit(1)
    .executeTakeFirst()
  return first?.decidedAt ?? null
}

async function noteTold(tx: Tx, kind: NoticeKind, now: number): Promise<void> {
  const told = { toldAt: new Date(now), toldUntil: new Date(now - NOTICES[kind].afterMs) }
  await tx
    .insertInto('toldNotices')
    .values({ kind, ...told })
    .onConflict((row) => row.column('kind').doUpdateSet(told))
    .execute()
}

/**
 * Writes the mail that tells an administrator what waits, as it is when the mail's turn comes; none
 * if somebody has seen to all of it meanwhile.
 */
export function noticeMailWriter(
  deps: Pick<Deps, 'config' | 'database' | 'now'>,
): Pick<Writers, 'owner_notice' | 'act_alone' | 'administrator_invited' | 'shop_account_changed'> {
  return {
    async owner_notice({ userId, kinds }, texts) {
      const user = await readerOf(deps, userId)
      if (!user) return null
      const { locale, email } = user
      const { groups } = await readWaiting(deps, userId ?? NOBODY)
      const told = groups.filter(({ kind }) => kinds.some((each) => isAbout(each, kind)))
      const sums = kinds.includes('sums') ? await sumLines(deps, texts, locale) : []
      if (told.length === 0 && sums.length === 0) return null
      const sentences = told.map((group) => sentenceOf(texts, locale, group))
      const words = texts[locale].mail.notice
      const parts: Part[] = [
        ...told.map(({ reason }, at) => ({
          text: [sentences[at], reason].filter(Boolean).join('\n'),
        })),
        ...(sums.length > 0 ? [{ text: [words.sums, ...sums].join('\n') }] : []),
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
        subject: fillText(words.subject, { what: sentences[0] ?? words.sums }),
        title: words.title,
        parts,
      })
    },

    async act_alone({ userId, actId }, texts) {
      const user = await readerOf(deps, userId)
      const act = await deps.database.kysely
        .selectFrom('acts')
        .selectAll()
        .where('id', '=', actId)
        .executeTakeFirst()
      if (!user || !act) return null
      const { locale } = user
      const customer = act.userId === null ? '' : userActor(act.userId)
      const names = await actorNames(deps.database.kysely, [act.proposer, customer])
      const words = texts[locale].mail.actAlone
      const detail = actDetail(
        locale,
        { ...act, bound: raisedBy(act) },
        texts[locale]['office-acts'],
      )
      const values = {
        name: isolate(nameIn(texts[locale], names, act.proposer)),
        what: texts[locale]['office-acts'].kinds[act.kind],
        amount: priceText(locale, Math.abs(act.amount)),
        detail: [names.get(customer), detail]
          .flatMap((part) => (part ? isolate(part) : []))
          .join(' '),
        reason: isolate(act.reason),
      }
      const sentence = act.needsSecond ? words.waits : words.booked
      return officeLetter(deps, texts, user, {
        subject: fillText(words.subject, values),
        title: words.title,
        lines: [fillText(sentence, values), fillText(words.facts, values)],
        to: '/office/acts',
      })
    },

    async administrator_invited({ userId, invitedId, by }, texts) {
      const user = await readerOf(deps, userId)
      const { kysely } = deps.database
      const names = await actorNames(kysely, [by])
      const invited = await kysely
        .selectFrom('users')
        .select('email')
        .where('id', '=', invitedId)
        .executeTakeFirst()
      if (!user || !invited || userId === invitedId) return null
      const words = texts[user.locale].mail.administratorInvited
      const values = {
        name: isolate(invited.email ?? ''),
        by: isolate(nameIn(texts[user.locale], names, by)),
      }
      return officeLetter(deps, texts, user, {
        subject: words.subject,
        title: words.subject,
        lines: [fillText(words.text, values), words.unknown],
        to: '/office/people',
      })
    },

    async shop_account_changed({ userId, group, by }, texts) {
      const user = await readerOf(deps, userId)
      if (!user) return null
      const names = await actorNames(deps.database.kysely, [by])
      const { bank, d17 } = await readFacts(deps)
      const account =
        group === 'bank' ? [bank.holder, readableRib(bank.rib)] : [d17.holder, d17.phone]
      const words = texts[user.locale].mail.shopAccountChanged
      const values = {
        by: isolate(nameIn(texts[user.locale], names, by)),
        account: isolate(account.filter(Boolean).join(' · ') || '–'),
      }
      return officeLetter(deps, texts, user, {
        subject: words.subject,
        title: words.title,
        lines: [fillText(words.text, values), words.unknown],
        to: '/office/facts',
      })
    },
  }
}

type Parts = Pick<Deps, 'config' | 'database' | 'now'>

const nameIn = (texts: Texts[Locale], names: ReadonlyMap<string, string>, actor: string) =>
  names.get(actor) ?? actorText(actor, texts.office.actor)

/** Where a mail to the team goes; null: to nobody who may read it, or has read it elsewhere. */
async function readerOf(
  deps: Pick<Deps, 'config' | 'database'>,
  userId: Reader,
): Promise<{ email: string | null; locale: Locale } | null> {
  const people = deps.database.kysely
    .selectFrom('users')
    .select(['email', 'locale'])
    .where('role', '=', 'ADMIN')
    .where('blockedAt', 'is', null)
  if (userId !== null) return (await people.where('id', '=', userId).executeTakeFirst()) ?? null
  const email = await ownerAddress(deps)
  if (email === null) return null
  const administrator = await people.where('email', '=', email).executeTakeFirst()
  return administrator ? null : { email, locale: DEFAULT_LOCALE }
}

function officeLetter(
  { config }: Pick<Deps, 'config'>,
  texts: Texts,
  { email, locale }: { email: string | null; locale: Locale },
  {
    subject,
    title,
    lines,
    to,
  }: { subject: string; title: string; lines: readonly string[]; to: OfficePath },
) {
  const parts: Part[] = [
    ...lines.map((text) => ({ text })),
    {
      button: texts[locale].mail.notice.button,
      href: `${config.siteUrl}${pathIn(locale, to)}`,
    },
  ]
  return letter({ texts, locale, to: email, subject, title, parts })
}
type OfficePath = '/office/acts' | '/office/facts' | '/office/people'

/** What each administrator did within a day, a line for each kind. */
async function sumLines({ database, now }: Parts, texts: Texts, locale: Locale): Promise<string[]> {
  const span = { from: new Date(now() - DAY_MS), to: new Date(now()) }
  const words = texts[locale]['office-acts']
  return (await sumsByActor(database.kysely, span)).map(({ by, kind, count, amount, alone }) =>
    fillText(texts[locale].mail.notice.sum, {
      name: isolate(actorText(by, texts[locale].office.actor)),
      what: words.kinds[kind],
      number: count,
      amount: priceText(locale, amount),
      alone: priceText(locale, alone),
    }),
  )
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

/** All notices, with the last person who switched each and when it was sent, and the state of mail. */
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
