import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { Locale } from '../../i18n/locales.ts'
import { DAY_MS } from '../../rules/durations.ts'
import type { Millimes } from '../../rules/money.ts'
import { DELETION_DAYS, DELETION_REMINDER_DAYS } from '../../rules/own-data.ts'
import { RETENTION } from '../../rules/retention.ts'
import { reasonOf } from '../carriers/carriers.ts'
import type { Schema } from '../database/schema.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { writeWhole } from '../files/files.ts'
import { fault } from '../http/errors.ts'
import { enqueueMail, letter, sendText, shortMessage } from '../mail/mail.ts'
import {
  type ActInputs,
  type Acting,
  act,
  type Executors,
  emptyWallet,
  endWaiting,
  isWaiting,
  lockActs,
  lockMoney,
  propose,
  walletBalance,
} from '../money/money.ts'
import { changePages } from '../publishing/publishing.ts'
import { readTexts, senderAddress } from '../site-texts/site-texts.ts'
import { COMMAND_LINE, logStaff, userActor, userSubject } from '../staff-log/staff-log.ts'
import { deletePerson } from './delete-person.ts'
import { namesOf } from './names.ts'

/** What is to become of the money in the wallet. */
export interface Money {
  readonly account: { readonly holder: string; readonly rib: string } | null
  readonly givesUp: boolean
}

interface Asked {
  readonly userId: number
  readonly actor: string
  readonly money: Money
  /** How much is given up at most; null: all there is, as only its owner says. */
  readonly givenUpMost?: Millimes | null
  readonly reason?: string
}

/**
 * Begins the days after which an account is deleted; asked again, it only changes where the money
 * goes, unless an administrator gives it up: then the days begin again. Throws `money_in_wallet`
 * where nothing is said about it, `return_waits`, `account_closed`, and `forbidden` for an
 * administrator's account.
 */
export async function askForDeletion(
  tx: Tx,
  { jobs, now }: Pick<Deps, 'jobs' | 'now'>,
  { userId, actor, money: { account, givesUp }, givenUpMost = null, reason = '' }: Asked,
): Promise<void> {
  await lockLeaver(tx, userId, actor)
  const hasMoney = (await walletBalance(tx, userId)) > 0
  if (hasMoney && !account && !givesUp) throw fault('money_in_wallet')
  const money = {
    holder: account?.holder ?? null,
    rib: account?.rib ?? null,
    givesUpMoney: givesUp && !account,
    givenUpMost,
  }
  const dueAt = new Date(now() + DELETION_DAYS * DAY_MS)
  // What an administrator gives up for its owner leaves the owner all the days to object.
  const begunAgain = money.givesUpMoney && actor !== userActor(userId) && hasMoney
  await tx
    .insertInto('accountDeletions')
    .values({ userId, askedAt: new Date(now()), dueAt, askedBy: actor, ...money })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet({ ...money, ...(begunAgain && { dueAt }) }),
    )
    .execute()
  const goesTo = account ? [`${account.holder}, ${account.rib}`] : []
  const said = [...goesTo, reason].filter((text) => text !== '').join(': ')
  await noteStaff(tx, { actor, action: 'ask for deletion', userId, reason: said })
  await enqueueMail(tx, jobs, 'deletion_asked', { userId })
}

/**
 * Lets an account that holds no money be deleted without a word from here: its owner is told in
 * another way, or never was anybody's concern. `at` and `dueIn` in milliseconds.
 */
export async function deleteQuietly(
  tx: Tx,
  { userId, actor, at, dueIn }: { userId: number; actor: string; at: number; dueIn: number },
): Promise<void> {
  const noMoney = { holder: null, rib: null, givesUpMoney: true, givenUpMost: 0 as Millimes }
  const when = { askedAt: new Date(at), dueAt: new Date(at + dueIn), isReminded: true }
  await tx
    .insertInto('accountDeletions')
    .values({ userId, askedBy: actor, ...when, ...noMoney })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Ends the accounts that were opened at "sell with us", have no document, and that no administrator
 * has approved.
 */
export async function endUnapproved({ database, now }: Pick<Deps, 'database' | 'now'>) {
  await transaction(database, async (tx) => {
    const { rows } = await sql<{ userId: number }>`
      SELECT r.user_id FROM join_requests r JOIN teachers t ON t.user_id = r.user_id
      WHERE r.decided_at IS NULL AND r.confirmed_at < ${new Date(now() - RETENTION.unapproved)}
        AND t.approved_at IS NULL
        AND NOT EXISTS (SELECT FROM documents d WHERE d.teacher_id = t.id)
      ORDER BY r.user_id`.execute(tx)
    for (const { userId } of rows) {
      await deleteQuietly(tx, { userId, actor: COMMAND_LINE, at: now(), dueIn: 0 })
    }
  })
}

/** Locks the account of somebody who leaves, and refuses one that is not deleted this way. */
async function lockLeaver(tx: Tx, userId: number, actor: string): Promise<void> {
  const { role, isClosed } = await lockAccount(tx, userId)
  if (role !== 'PARENT' && role !== 'TEACHER') throw fault('forbidden')
  // A closed account is not logged in, however close the two came.
  if (isClosed) throw fault(actor === userActor(userId) ? 'invalid_token' : 'account_closed')
  await requireNoReturn(tx, userId)
}

/**
 * Throws `return_waits` while a transfer of the wallet's money to its owner waits for a second: the
 * bank may have made it already, and only what waits records it.
 */
export async function requireNoReturn(db: Kysely<Schema>, userId: number): Promise<void> {
  const isReturned = await isWaiting(db, { kind: 'return', subject: userActor(userId) })
  if (isReturned) throw fault('return_waits')
}

/**
 * Makes the request for a person at the counter. If more money is given up than an administrator may
 * decide alone, a second has to confirm: this returns the waiting act, and the days begin with the
 * confirmation. Money that arrives later is not given up. Throws as `askForDeletion` does, `invalid_input`
 * where money is given up without a reason, and `act_waits`.
 */
export function askForDeletionOf(
  deps: Pick<Deps, 'database' | 'jobs' | 'now'>,
  { userId, money, reason }: { userId: number; money: Money; reason: string },
  acting: Acting,
): Promise<number | null> {
  return act(deps, acting, async (tx) => {
    const { actor } = acting
    // Before accounts and wallets, as in every act.
    await lockActs(tx, actor)
    await lockLeaver(tx, userId, actor)
    await lockMoney(tx, userId)
    const isGivenUp = money.givesUp && !money.account
    const amount = isGivenUp ? await walletBalance(tx, userId) : 0
    if (amount > 0 && reason === '')
      throw fault('invalid_input', { fields: { reason: 'required' } })
    const before = await readDeletion(tx, userId)
    const waits = await propose(tx, deps, acting, {
      kind: 'give_up',
      subject: userActor(userId),
      userId,
      amount,
      reason,
      input: { userId, account: before?.account ?? null },
      // Where the owner wanted it to go.
      detail: before?.account ? `${before.account.holder}, ${before.account.rib}` : '',
    })
    if (waits !== null) return waits
    const givenUpMost = isGivenUp ? amount : null
    await askForDeletion(tx, deps, { userId, actor, money, givenUpMost, reason })
    return null
  })
}

/**
 * Begins the days of a deletion that a second has confirmed, if the wallet still holds the same, and
 * its owner has not said since where the money goes.
 */
export function giveUpAct(deps: Pick<Deps, 'jobs' | 'now'>): Executors['give_up'] {
  return async (tx, { input: { userId, account }, amount, reason, decider: actor }) => {
    await lockLeaver(tx, userId, actor)
    await lockMoney(tx, userId)
    if ((await walletBalance(tx, userId)) !== amount) throw fault('act_changed')
    const wanted = (await readDeletion(tx, userId))?.account
    const isSame = wanted?.rib === account?.rib && wanted?.holder === account?.holder
    if (!isSame) throw fault('act_changed')
    const money = { account: null, givesUp: true }
    await askForDeletion(tx, deps, { userId, actor, money, givenUpMost: amount, reason })
    return undefined
  }
}

/**
 * Keeps an account that was to be deleted, and has nobody give up its money any more. Throws
 * `not_found` if it was not to be deleted and nothing waited, and `return_waits`.
 */
export async function keepAccount(
  tx: Tx,
  deps: Pick<Deps, 'now'>,
  userId: number,
  actor: string,
): Promise<void> {
  await lockAccount(tx, userId)
  await requireNoReturn(tx, userId)
  const subject = userActor(userId)
  const hasEnded = await endWaiting(tx, deps, { kind: 'give_up', subject, actor })
  const kept = await tx
    .deleteFrom('accountDeletions')
    .where('userId', '=', userId)
    .returning('userId')
    .executeTakeFirst()
  if (!kept && !hasEnded) throw fault('not_found')
  await noteStaff(tx, { actor, action: 'keep account', userId })
}

/** The log of staff has what they did for somebody else; what customers do themselves is theirs. */
async function noteStaff(
  tx: Tx,
  {
    actor,
    action,
    userId,
    reason = '',
  }: { actor: string; action: Noted; userId: number; reason?: string },
) {
  if (actor === userActor(userId)) return
  await logStaff(tx, { actor, action, subject: userSubject(userId), reason: reason || null })
}
type Noted = 'ask for deletion' | 'keep account' | 'export data'

/** Whether the money of a wallet in `accounts` is given up, all that it holds by now. */
export const moneyIsGivenUp = sql<boolean>`(account_deletions.gives_up_money
  AND accounts.balance <= coalesce(account_deletions.given_up_most, accounts.balance))`

/** The same for whom may have no wallet. */
const givesUpMoney = sql<boolean>`gives_up_money AND NOT EXISTS (
  SELECT FROM accounts WHERE accounts.user_id = account_deletions.user_id
    AND NOT ${moneyIsGivenUp})`

/** When an account is deleted and what it still waits for; null: it is not to be deleted. */
export async function readDeletion(db: Kysely<Schema>, userId: number) {
  const row = await db
    .selectFrom('accountDeletions')
    .select(['dueAt', 'holder', 'rib', givesUpMoney.as('givesUpMoney')])
    .where('userId', '=', userId)
    .executeTakeFirst()
  if (!row) return null
  const { dueAt, holder, rib } = row
  const account = holder !== null && rib !== null ? { holder, rib } : null
  return { dueAt: dueAt.toISOString(), account, givesUpMoney: row.givesUpMoney }
}

/** Which of these accounts are to be deleted, and when. */
export const askedDeletions = (db: Kysely<Schema>, userIds: readonly number[]) =>
  db
    .selectFrom('accountDeletions')
    .select(['userId', 'dueAt'])
    .where('userId', 'in', userIds)
    .orderBy('userId')
    .execute()

interface ReturnedMoney {
  readonly userId: number
  /** The balance that was transferred, as the administrator saw it. */
  readonly seen: Millimes
  readonly reference: string
  /** The day, such as `2026-11-22`. */
  readonly transferredOn: string
  readonly reason: string
}

/**
 * Records that the money of a wallet was transferred to its owner, who leaves; above the bound, once
 * a second has confirmed, whose act it returns. Throws `not_found`
 * where none is to be returned, `setting_changed` where it is another amount by now.
 */
export function returnMoney(
  deps: Pick<Deps, 'database' | 'jobs' | 'now'>,
  { userId, seen, reference, transferredOn, reason }: ReturnedMoney,
  acting: Acting,
): Promise<number | null> {
  return act(deps, acting, async (tx) => {
    // Before accounts, as in every act; no deletion ends or changes until what waits is noted.
    await lockActs(tx, acting.actor)
    await lockAccount(tx, userId)
    const account = (await readDeletion(tx, userId))?.account
    if (!account || seen === 0) throw fault('not_found')
    if ((await walletBalance(tx, userId)) !== seen) throw fault('setting_changed')
    const input = { userId, reference, transferredOn, ...account }
    const waits = await propose(tx, deps, acting, {
      kind: 'return',
      subject: userActor(userId),
      userId,
      amount: seen,
      reason,
      input,
      detail: `${account.holder}, ${account.rib}; ${reference}`,
    })
    if (waits !== null) return waits
    await returnWithin(tx, deps, { input, amount: seen, actor: acting.actor })
    return null
  })
}

/** Records the payment that a second has confirmed, if it is the same sum to the same account. */
export function returnAct(deps: Pick<Deps, 'jobs'>): Executors['return'] {
  return async (tx, { input, amount, decider: actor }) => {
    await returnWithin(tx, deps, { input, amount, actor })
    return undefined
  }
}

async function returnWithin(
  tx: Tx,
  { jobs }: Pick<Deps, 'jobs'>,
  { input, amount: seen, actor }: { input: ActInputs['return']; amount: Millimes; actor: string },
): Promise<void> {
  const { userId, reference, transferredOn, holder, rib } = input
  await lockAccount(tx, userId)
  const account = (await readDeletion(tx, userId))?.account
  if (account?.rib !== rib || account.holder !== holder) throw fault('act_changed')
  const note = `${reference}, ${transferredOn}`
  const amount = await emptyWallet(tx, { userId, into: 'returns', note })
  if (amount !== seen) throw fault('act_changed')
  await logStaff(tx, {
    actor,
    action: 'return money',
    subject: userSubject(userId),
    reason: reference,
  })
  await enqueueMail(tx, jobs, 'money_returned', { userId, amount, reference })
}

/** Locks an account; throws `user_not_found`. */
export async function lockAccount(tx: Tx, userId: number) {
  const { rows } = await sql<{ role: string; isClosed: boolean }>`
    SELECT role, merged_into IS NOT NULL OR deleted_at IS NOT NULL AS is_closed
    FROM users WHERE id = ${userId} AND role <> 'SHOP' FOR NO KEY UPDATE`.execute(tx)
  const [account] = rows
  if (!account) throw fault('user_not_found')
  return account
}

/** Tells once more whose account is soon deleted. */
async function remind({ database, jobs, now }: Deps): Promise<void> {
  await transaction(database, async (tx) => {
    const soon = await tx
      .updateTable('accountDeletions')
      .set({ isReminded: true })
      .where('isReminded', '=', false)
      .where('dueAt', '>', new Date(now()))
      .where('dueAt', '<=', new Date(now() + DELETION_REMINDER_DAYS * DAY_MS))
      .returning('userId')
      .execute()
    for (const { userId } of soon) await enqueueMail(tx, jobs, 'deletion_asked', { userId })
  })
}

/**
 * Reminds those whose account is soon deleted, and deletes the accounts whose days are over, each in a transaction of its own, so that it is deleted
 * as a whole or waits for the next turn.
 */
export async function deleteDue(deps: Deps): Promise<void> {
  await remind(deps)
  const due = await deps.database.kysely
    .selectFrom('accountDeletions')
    .select('userId')
    .where('dueAt', '<=', new Date(deps.now()))
    .orderBy('dueAt')
    .execute()
  for (const { userId } of due) {
    try {
      await deleteAccount(deps, userId)
    } catch (error) {
      deps.report(`Account ${userId} could not be deleted: ${reasonOf(error)}`)
    }
  }
  await keepList(deps)
}

async function deleteAccount(deps: Deps, userId: number): Promise<void> {
  const { files, mail, now } = deps
  const removed = await changePages(deps, async (tx, markStale) => {
    const names = await namesOf(tx, userId)
    // The state that the check below finds lasts until the account is deleted.
    await lockMoney(tx, userId)
    const deletion = await tx
      .selectFrom('accountDeletions')
      .select(['askedBy', givesUpMoney.as('givesUpMoney')])
      .where('userId', '=', userId)
      .where('dueAt', '<=', new Date(now()))
      .forUpdate()
      .executeTakeFirst()
    if (!deletion || (await isMoneyOpen(tx, userId, deletion.givesUpMoney))) return null
    if (deletion.givesUpMoney) {
      await emptyWallet(tx, { userId, into: 'adjustments', note: 'given up' })
    }
    const uploads = await tx
      .selectFrom('uploads')
      .select('id')
      .where('userId', 'in', names.users)
      .execute()
    const { email, phone, locale } = await tx
      .selectFrom('users')
      .select(['email', 'phone', 'locale'])
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    const exported = await tx
      .selectFrom('dataExports')
      .select('storageKey')
      .where('userId', 'in', names.users)
      .execute()
    const asked = await tx
      .selectFrom('contactChanges')
      .select('value')
      .where('userId', 'in', names.users)
      .execute()
    markStale(await deletePerson(tx, names, deletion.askedBy))
    const addresses = [...names.emails, ...asked.map(({ value }) => value)]
    return { addresses, uploads, exported, told: { email, phone, locale } }
  })
  if (!removed) return
  // Where the process ends here, the sweep of files removes the uploads and the ZIP after a day.
  for (const { id } of removed.uploads) await files.parts.remove(id)
  for (const { storageKey } of removed.exported) if (storageKey) await files.remove(storageKey)
  await tellDeleted(deps, removed.told).catch((error: unknown) =>
    deps.report(`Account ${userId} was deleted and could not be told: ${reasonOf(error)}`),
  )
  for (const address of removed.addresses) await mail.forget?.(address)
}

interface Deleted {
  readonly email: string | null
  readonly phone: string | null
  readonly locale: Locale
}

/**
 * Tells people that their account is deleted. At once, since a queue would keep the address; whom it
 * does not reach was reminded before.
 */
async function tellDeleted(deps: Deps, { email, phone, locale }: Deleted): Promise<void> {
  const texts = await readTexts(deps.database.kysely)
  const { subject, text } = texts[locale]['own-data'].deleted
  if (email !== null) {
    const { sender: name, ...mail } = letter({
      texts,
      locale,
      to: email,
      subject,
      title: subject,
      parts: [{ text }],
    })
    const from = { name, address: await senderAddress(deps) }
    await deps.mail.send({ ...mail, to: email, from })
  } else if (phone !== null) {
    const message = { phone, text: shortMessage(texts, locale, 'deleted'), isCode: false }
    await sendText(deps, randomUUID(), message)
  }
}

/**
 * Whether money keeps an account: what is in the wallet and not given up, a payment under way, or a
 * payout that was asked for.
 */
async function isMoneyOpen(tx: Tx, userId: number, givesUp: boolean): Promise<boolean> {
  const { rows } = await sql<{ isOpen: boolean }>`
    SELECT (NOT ${givesUp}::boolean
        AND EXISTS (SELECT FROM accounts WHERE user_id = ${userId} AND balance > 0))
      OR EXISTS (SELECT FROM payments WHERE user_id = ${userId} AND status = 'pending')
      OR EXISTS (SELECT FROM payouts p JOIN teachers t ON t.id = p.teacher_id
        WHERE t.user_id = ${userId} AND p.status = 'requested') AS is_open`.execute(tx)
  return rows[0]?.isOpen === true
}

/**
 * The numbers of deleted people, in `DATA_DIR` and beside each backup: from them a restore of an
 * older backup learns whom to delete again. A line is a number and when its account began, so that
 * the list of another shop deletes nobody.
 */
export const DELETED_LIST = 'deleted-people.txt'

async function readDeleted(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    SELECT id || ' ' || extract(epoch FROM created_at)::text AS line
    FROM users WHERE deleted_at IS NOT NULL ORDER BY id`.execute(db)
  return rows.map(({ line }) => line)
}

const linesIn = async (path: string): Promise<string[]> =>
  (await readFile(path, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '')

/** Adds the deleted people of a database to the list in a directory. */
export async function keepListIn(db: Kysely<Schema>, directory: string): Promise<void> {
  const path = join(directory, DELETED_LIST)
  const known = await linesIn(path)
  const lines = [...new Set([...known, ...(await readDeleted(db))])]
  if (lines.length > known.length) await writeWhole(path, Buffer.from(`${lines.join('\n')}\n`))
}

const keepList = ({ database, config }: Deps) => keepListIn(database.kysely, config.dataDir)

/** Deletes again, in a restored shop, whom the lists of these directories name; returns how many. */
export async function deleteAgain(tx: Tx, directories: readonly string[]): Promise<number> {
  const lists = await Promise.all(directories.map((path) => linesIn(join(path, DELETED_LIST))))
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM users WHERE deleted_at IS NULL
      AND id || ' ' || extract(epoch FROM created_at)::text = ANY (${lists.flat()}::text[])
    ORDER BY id`.execute(tx)
  for (const { id } of rows) await deletePerson(tx, await namesOf(tx, id), COMMAND_LINE)
  return rows.length
}
