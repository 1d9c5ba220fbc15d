import { sql } from 'kysely'
import { teacherTag } from '../../rules/page-tags.ts'
import { CONFIRMATION_LINK_LIFETIME_MS } from '../../rules/roles.ts'
import { CODE_LIFETIME_MS, CONTACT_WAIT_MS, type ContactKind } from '../../rules/sms.ts'
import { normalisePhone } from '../../rules/typed-numbers.ts'
import { reasonOf } from '../carriers/carriers.ts'
import { codeOf, UNIQUE_VIOLATION } from '../database/start-error.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { ApiFault, fault } from '../http/errors.ts'
import type { Limits } from '../http/rate-limits.ts'
import {
  contactLinkMail,
  contactToldMail,
  enqueueMail,
  type MailData,
  shortMessage,
  type Writers,
} from '../mail/mail.ts'
import { holdPayouts, walletBalance } from '../money/money.ts'
import { noteChanges } from '../publishing/publishing.ts'
import { logOwn } from '../staff-log/staff-log.ts'
import { endSessions } from './ended-sessions.ts'
import { hashLinkToken, makeLinkToken } from './link-token.ts'
import { countNewcomerText, noteCameBack } from './newcomer-texts.ts'
import {
  CODE_MINUTES,
  type CodeOwner,
  changeKey,
  countText,
  makeCode,
  tryCode,
  useCode,
} from './phone-codes.ts'

type Parts = Pick<Deps, 'database' | 'jobs' | 'now'>

/** What became of a confirmed change; `generation` is of the next token, as every log-in has ended. */
export type Changed = { isDone: true; generation: number } | { isDone: false }

/** Asks for a new e-mail address, to which a link is mailed. Throws `contact_taken`. */
export async function askForEmail(deps: Parts, userId: number, email: string): Promise<void> {
  await transaction(deps.database, async (tx) => {
    await begin(tx, deps, { userId, kind: 'email', value: email })
    await enqueueMail(tx, deps.jobs, 'contact_link', { userId })
  })
}

/**
 * Asks for a new phone number: a code goes to it, and one to the number so far where that was
 * confirmed. Throws `contact_taken`, `no_texts_left`, `too_many_requests`.
 */
export async function askForPhone(
  deps: Deps,
  limits: Limits,
  userId: number,
  phone: string,
): Promise<void> {
  const old = confirmedPhone(await readContacts(deps.database.kysely, userId))
  const phones = old === null ? [phone] : [phone, old]
  await countText(deps, limits, phone, 'phoneRegistration')
  if (old !== null) await countText(deps, limits, old)
  await countNewcomerText(deps, changeKey(userId, phone))
  await transaction(deps.database, async (tx) => {
    await begin(tx, deps, { userId, kind: 'phone', value: phone })
    const askedAt = deps.now()
    for (const each of phones) {
      await enqueueMail(tx, deps.jobs, 'contact_code', { userId, phone: each, askedAt })
    }
  })
}

interface Wanted {
  readonly userId: number
  readonly kind: ContactKind
  readonly value: string
}

/** Begins a change in place of an earlier one. */
async function begin(tx: Tx, { now }: Parts, wanted: Wanted): Promise<void> {
  const { userId, kind, value } = wanted
  // A blocking, a merge or a deletion that came first has ended every log-in.
  if ((await lockContacts(tx, userId)).blockedAt) throw fault('invalid_token')
  await holderOf(tx, wanted)
  const change = { kind, value, tokenHash: null, askedAt: new Date(now()), dueAt: null }
  await tx
    .insertInto('contactChanges')
    .values({ userId, ...change })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(change))
    .execute()
}

/**
 * The account that is reached by a contact, if it was merged into this one, which may take it over;
 * undefined: none. Throws `contact_taken`.
 */
async function holderOf(tx: Tx, { userId, kind, value }: Wanted): Promise<number | undefined> {
  let holders = tx.selectFrom('users').select('id').where(kind, '=', value)
  // A number that was typed and never confirmed may be anybody's.
  if (kind === 'phone') holders = holders.where('phoneConfirmedAt', 'is not', null)
  const holder = await holders.executeTakeFirst()
  if (!holder) return undefined
  const { rows } = await sql`
    WITH RECURSIVE kept (id) AS (
      SELECT merged_into FROM users WHERE id = ${holder.id}
      UNION SELECT merged_into FROM users JOIN kept USING (id)
    )
    SELECT FROM kept WHERE id = ${userId}`.execute(tx)
  if (rows.length === 0) throw fault('contact_taken')
  return holder.id
}

/** Takes a contact from a merged account, which nothing opens without one. */
async function release(tx: Tx, holderId: number, kind: ContactKind): Promise<void> {
  const [contact, other] = kind === 'email' ? ['email', 'phone'] : ['phone', 'email']
  await sql`
    UPDATE users SET ${sql.ref(contact)} = NULL, ${sql.ref(`${contact}_confirmed_at`)} = NULL,
      password_hash = CASE WHEN ${sql.ref(other)} IS NOT NULL THEN password_hash END
    WHERE id = ${holderId}`.execute(tx)
}

/** The change of an account that is not made yet, as its owner sees it. */
export async function readContactChange(
  { database: { kysely } }: Pick<Deps, 'database'>,
  userId: number,
) {
  const change = await kysely
    .selectFrom('contactChanges')
    .select(['kind', 'value', 'dueAt'])
    .where('userId', '=', userId)
    .executeTakeFirst()
  if (!change) return null
  const old = confirmedPhone(await readContacts(kysely, userId))
  const { kind, dueAt } = change
  return {
    ...change,
    dueAt: dueAt?.toISOString() ?? null,
    asksOldPhone: kind === 'phone' && dueAt === null && old !== null,
  }
}

/** Stops a change, confirmed or not. Throws `not_found`. */
export async function stopContactChange(
  { database }: Pick<Deps, 'database'>,
  userId: number,
): Promise<void> {
  const stopped = await database.kysely
    .deleteFrom('contactChanges')
    .where('userId', '=', userId)
    .returning('userId')
    .executeTakeFirst()
  if (!stopped) throw fault('not_found')
}

/**
 * Confirms a new e-mail address by the token of its link; null if no change has this token. Throws
 * `contact_taken`.
 */
export function confirmNewEmail(deps: Parts, token: string): Promise<Changed | null> {
  return changing(deps, async (tx) => {
    const asked = await tx
      .selectFrom('contactChanges')
      .select(['userId', 'kind', 'value'])
      .where('tokenHash', '=', hashLinkToken(token))
      .where('askedAt', '>', new Date(deps.now() - CONFIRMATION_LINK_LIFETIME_MS))
      .executeTakeFirst()
    return asked ? makeOrWait(tx, deps, asked, false) : null
  })
}

/**
 * Confirms a new phone number by its code, and the previous one by another. Without that code, as
 * when the number is lost, the change waits a day whatever is in the wallet. Throws
 * `wrong_phone_code`, `not_found`, `contact_taken`.
 */
export async function confirmNewPhone(
  deps: Parts & Pick<Deps, 'secret'>,
  { userId, code, oldCode }: { userId: number; code: string; oldCode: string | null },
): Promise<Changed> {
  const { kysely } = deps.database
  const asked = await kysely
    .selectFrom('contactChanges')
    .select(['userId', 'kind', 'value'])
    .where('userId', '=', userId)
    .where('kind', '=', 'phone')
    .where('dueAt', 'is', null)
    .executeTakeFirst()
  if (!asked) throw fault('not_found')
  const old = confirmedPhone(await readContacts(kysely, userId))
  const typed = [{ phone: asked.value, code }]
  if (old !== null && oldCode !== null) typed.push({ phone: old, code: oldCode })
  const owners: CodeOwner[] = []
  for (const each of typed) owners.push(await tryCode(deps, { userId, purpose: 'change', ...each }))
  const outcome = await changing(deps, async (tx) => {
    await Promise.all(owners.map((owner) => useCode(tx, owner)))
    await noteCameBack(tx, changeKey(userId, asked.value), deps.now())
    return makeOrWait(tx, deps, asked, old !== null && oldCode === null)
  })
  if (!outcome) throw fault('not_found')
  return outcome
}

/**
 * Makes a change whose new contact is confirmed, or has it wait where somebody could be robbed by
 * it; null if it was stopped or replaced meanwhile.
 */
async function makeOrWait(
  tx: Tx,
  deps: Parts,
  { userId, kind, value }: Wanted,
  mustWait: boolean,
): Promise<Changed | null> {
  const contacts = await lockContacts(tx, userId)
  const unconfirmed = tx
    .selectFrom('contactChanges')
    .select('userId')
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .where('value', '=', value)
    .where('dueAt', 'is', null)
  if (!(await unconfirmed.executeTakeFirst())) return null
  if (!mustWait && (await walletBalance(tx, userId)) === 0) return make(tx, deps, contacts)
  await tx
    .updateTable('contactChanges')
    .set({ dueAt: new Date(deps.now() + CONTACT_WAIT_MS), tokenHash: null })
    .where('userId', '=', userId)
    .execute()
  await tell(tx, deps, { userId, what: 'changing', contact: kind, to: toldAt(contacts, kind) })
  return { isDone: false }
}

/** Makes the change of an account that is locked. Throws `contact_taken`. */
async function make(tx: Tx, deps: Parts, contacts: Contacts): Promise<Changed> {
  const userId = contacts.id
  const { kind, value, dueAt } = await tx
    .deleteFrom('contactChanges')
    .where('userId', '=', userId)
    .returning(['kind', 'value', 'dueAt'])
    .executeTakeFirstOrThrow()
  const holderId = await holderOf(tx, { userId, kind, value })
  if (holderId !== undefined) await release(tx, holderId, kind)
  const confirmedAt = new Date(deps.now())
  await tx
    .updateTable('users')
    .set(
      kind === 'email'
        ? { email: value, emailConfirmedAt: confirmedAt }
        : { phone: value, phoneConfirmedAt: confirmedAt },
    )
    .where('id', '=', userId)
    .execute()
  if (contacts.role !== 'PARENT') await logOwn(tx, userId, `change ${kind}`)
  // A teacher's page does not show an address by which its teacher now logs in.
  const teacher = tx.selectFrom('teachers').select('id').where('userId', '=', userId)
  const shown = await teacher.executeTakeFirst()
  if (shown) await noteChanges(tx, [teacherTag(shown.id)])
  const former = kind === 'email' ? contacts.email : confirmedPhone(contacts)
  await holdPayouts(tx, deps, { userId, former })
  // What went to the old contact opens nothing any more.
  await tx.deleteFrom('passwordResets').where('userId', '=', userId).execute()
  await tx.deleteFrom('emailConfirmations').where('userId', '=', userId).execute()
  await tx.deleteFrom('phoneCodes').where('userId', '=', userId).execute()
  await tx.deleteFrom('codeRequests').where('userId', '=', userId).execute()
  // After a wait, the new one is told as well.
  const to = [...toldAt(contacts, kind), ...(dueAt ? [value] : [])]
  await tell(tx, deps, { userId, what: 'changed', contact: kind, to })
  return { isDone: true, generation: await endSessions(tx, userId) }
}

/**
 * Makes the changes that have waited long enough, each in a transaction of its own. One whose contact
 * another account has taken meanwhile is given up, and its owner is told.
 */
export async function makeDueChanges(deps: Deps): Promise<void> {
  const isDue = (db: Deps['database']['kysely'] | Tx) =>
    db
      .selectFrom('contactChanges')
      .select(['userId', 'kind'])
      .where('dueAt', '<=', new Date(deps.now()))
  for (const { userId } of await isDue(deps.database.kysely).execute()) {
    // Another process may have made it, or its owner stopped it, until the account is locked.
    const whenDue = (act: (tx: Tx, contacts: Contacts, kind: ContactKind) => Promise<unknown>) =>
      changing(deps, async (tx) => {
        const contacts = await lockContacts(tx, userId)
        const due = await isDue(tx).where('userId', '=', userId).executeTakeFirst()
        if (due) await act(tx, contacts, due.kind)
      })
    try {
      await whenDue((tx, contacts) => make(tx, deps, contacts)).catch((error) => {
        if (!(error instanceof ApiFault)) throw error
        return whenDue(async (tx, contacts, kind) => {
          await tx.deleteFrom('contactChanges').where('userId', '=', userId).execute()
          await tell(tx, deps, { userId, what: 'kept', contact: kind, to: toldAt(contacts, kind) })
        })
      })
    } catch (error) {
      deps.report(`The contact of account ${userId} could not be changed: ${reasonOf(error)}`)
    }
  }
}

/** A transaction in which a contact that another account takes at the same time is `contact_taken`. */
async function changing<T>(deps: Parts, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await transaction(deps.database, work)
  } catch (error) {
    throw codeOf(error) === UNIQUE_VIOLATION ? fault('contact_taken') : error
  }
}

type Contacts = Awaited<ReturnType<typeof readContacts>>

const readContacts = (db: Deps['database']['kysely'] | Tx, userId: number) =>
  contactsOf(db, userId).executeTakeFirstOrThrow()

const lockContacts = (tx: Tx, userId: number): Promise<Contacts> =>
  contactsOf(tx, userId).forNoKeyUpdate().executeTakeFirstOrThrow()

const contactsOf = (db: Deps['database']['kysely'] | Tx, userId: number) =>
  db
    .selectFrom('users')
    .select(['id', 'role', 'email', 'phone', 'phoneConfirmedAt', 'blockedAt'])
    .where('id', '=', userId)

/** The number that a code can be sent to; one that was never confirmed may be anybody's. */
const confirmedPhone = ({ phone, phoneConfirmedAt }: Contacts) => phoneConfirmedAt && phone

/** Where the owner so far is told: by mail or, without an address, by text; a phone at itself too. */
function toldAt(contacts: Contacts, kind: ContactKind): string[] {
  const { email } = contacts
  const phone = email === null || kind === 'phone' ? confirmedPhone(contacts) : null
  return [email, phone].filter((each) => each !== null)
}

async function tell(
  tx: Tx,
  { jobs }: Parts,
  { to, ...told }: Omit<MailData['contact_told'], 'to'> & { to: readonly string[] },
): Promise<void> {
  for (const each of to) await enqueueMail(tx, jobs, 'contact_told', { ...told, to: each })
}

/** The writers of the mails and messages about a change. */
export function contactMailWriters(
  deps: Pick<Deps, 'config' | 'database' | 'now' | 'secret'>,
): Pick<Writers, 'contact_link' | 'contact_code' | 'contact_told'> {
  const { kysely } = deps.database
  const { siteUrl } = deps.config
  const asked = (userId: number) =>
    kysely
      .selectFrom('contactChanges')
      .innerJoin('users', 'users.id', 'contactChanges.userId')
      .select(['kind', 'value', 'locale', 'phone'])
      .where('userId', '=', userId)
      .where('dueAt', 'is', null)
      .executeTakeFirst()
  return {
    async contact_link({ userId }, texts) {
      const change = await asked(userId)
      if (change?.kind !== 'email') return null
      const token = makeLinkToken()
      await kysely
        .updateTable('contactChanges')
        .set({ tokenHash: hashLinkToken(token) })
        .where('userId', '=', userId)
        .where('value', '=', change.value)
        .where('dueAt', 'is', null)
        .execute()
      return contactLinkMail({ texts, locale: change.locale, to: change.value, siteUrl, token })
    },
    async contact_code({ userId, phone, askedAt }, texts) {
      const change = await asked(userId)
      const isAsked = change?.kind === 'phone' && [change.value, change.phone].includes(phone)
      if (!isAsked || deps.now() - askedAt > CODE_LIFETIME_MS) return null
      const code = await makeCode(kysely, deps, { userId, phone, purpose: 'change' })
      const values = { code, minutes: CODE_MINUTES }
      return { phone, text: shortMessage(texts, change.locale, 'code', values), isCode: true }
    },
    async contact_told({ userId, to, what, contact }, texts) {
      const { locale, role } = await kysely
        .selectFrom('users')
        .select(['locale', 'role'])
        .where('id', '=', userId)
        .executeTakeFirstOrThrow()
      if (normalisePhone(to) !== null) {
        return { phone: to, text: shortMessage(texts, locale, what), isCode: false }
      }
      const isStaff = role !== 'PARENT'
      return contactToldMail({ texts, locale, to, siteUrl, isStaff, what, contact })
    },
  }
}
