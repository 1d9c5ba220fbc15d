import { type Kysely, sql } from 'kysely'
import type { MergePreview } from '../../contract/office-people.ts'
import { endSessions } from '../accounts/accounts.ts'
import { mergeCarts } from '../carts/carts.ts'
import { mergeRooms } from '../chat/chat.ts'
import type { Schema } from '../database/schema.ts'
import type { Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { mergeWaits } from '../documents/documents.ts'
import { mergeFollows } from '../following/following.ts'
import { fault } from '../http/errors.ts'
import { mergeMarks, mergeReadings, mergeShelves } from '../library/library.ts'
import { enqueueMail } from '../mail/mail.ts'
import {
  type Acting,
  act,
  type Executors,
  lockActs,
  lockWallets,
  type MergedMoney,
  type Merging,
  type MergingWallets,
  mergeMoney,
  previewMoney,
  propose,
} from '../money/money.ts'
import { askedDeletions, endExport, keepAccount, requireNoReturn } from '../own-data/own-data.ts'
import { mergeRatings } from '../ratings/ratings.ts'
import { doneBefore, logStaff, userActor, userSubject } from '../staff-log/staff-log.ts'
import { mergeWishes } from '../wishlists/wishlists.ts'
import { findPerson, type PersonRow, presentPerson } from './find-people.ts'

/** The things that a merge moves from one account to another. */
type Merged = Omit<MergePreview, 'from' | 'into' | 'deletions'>

/** What a merge would move now. Throws `user_not_found`, `done_before`, `not_two_customers`. */
export async function previewMerge(
  { kysely }: Deps['database'],
  merging: Merging,
): Promise<MergePreview> {
  const [from, into] = [
    await findPerson(kysely, { id: merging.fromId }),
    await findPerson(kysely, { id: merging.intoId }),
  ]
  if (!from || !into) throw fault('user_not_found')
  await requireMergeable(kysely, merging, [from, into])
  return {
    from: presentPerson(from),
    into: presentPerson(into),
    deletions: (await askedDeletions(kysely, [from.id, into.id])).map(({ userId, dueAt }) => ({
      id: userId,
      dueAt: dueAt.toISOString(),
    })),
    ...(await readMerged(kysely, merging, await previewMoney(kysely, merging))),
  }
}

interface Merge extends Merging {
  readonly reason: string
  /** The accounts whose deletion ends with the merge. */
  readonly endsDeletionOf?: readonly number[] | undefined
}

/**
 * Moves everything from one customer's account into another of the same family and closes the first
 * permanently, in one transaction; above the bound of the money in it, or on its way, once a second has confirmed,
 * whose act is `waits`. Throws `user_not_found`, `not_two_customers`, `deletion_asked`,
 * `return_waits`, and `done_before` if it was merged before.
 */
export function mergeAccounts(
  deps: Pick<Deps, 'database' | 'jobs' | 'now'>,
  { reason, endsDeletionOf = [], ...merging }: Merge,
  acting: Acting,
): Promise<Merged & { waits: number | null }> {
  return act(deps, acting, async (tx) => {
    const { actor } = acting
    // Before accounts and wallets, as in every act; the sum that is noted is then the one that moves.
    await lockActs(tx, actor)
    const locked = await lockForMerge(tx, merging, endsDeletionOf)
    const { into, wallets } = locked
    const { fromId, intoId } = merging
    const waits = await propose(tx, deps, acting, {
      kind: 'merge',
      subject: userActor(fromId),
      userId: fromId,
      amount: wallets.amount,
      reason,
      input: { ...merging, endsDeletionOf },
      detail: `${presentPerson(into).name} (${into.email ?? into.phone ?? intoId})`,
    })
    if (waits !== null) {
      return { ...(await readMerged(tx, merging, await previewMoney(tx, merging))), waits }
    }
    return {
      ...(await mergeLocked(tx, deps, { ...merging, ...locked, reason, actor })),
      waits: null,
    }
  })
}

/**
 * Merges what a second has confirmed, if it is still the same sum and no other deletion was
 * asked for meanwhile.
 */
export function mergeAct(deps: Pick<Deps, 'jobs' | 'now'>): Executors['merge'] {
  return async (tx, { input: { endsDeletionOf, ...merging }, amount, reason, decider: actor }) => {
    const locked = await lockForMerge(tx, merging, endsDeletionOf)
    if (locked.wallets.amount !== amount) throw fault('act_changed')
    await mergeLocked(tx, deps, { ...merging, ...locked, reason, actor })
    return undefined
  }
}

interface LockedMerge {
  readonly into: PersonRow
  readonly wallets: MergingWallets
  /** The deletions that the merge ends. */
  readonly ended: readonly { readonly userId: number }[]
}

/** Locks both accounts and their wallets. Throws as `mergeAccounts` does. */
async function lockForMerge(
  tx: Tx,
  merging: Merging,
  endsDeletionOf: readonly number[],
): Promise<LockedMerge> {
  // Accounts before wallets, lower ids first: all code locks in this order.
  const { fromId, intoId } = merging
  await tx
    .selectFrom('users')
    .select('id')
    .where('id', 'in', [fromId, intoId])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const from = await findPerson(tx, { id: fromId })
  const into = await findPerson(tx, { id: intoId })
  if (!from || !into) throw fault('user_not_found')
  await requireMergeable(tx, merging, [from, into])
  const ended = await requireKept(tx, merging, endsDeletionOf)
  return { into, ended, wallets: await lockWallets(tx, merging) }
}

interface LockedAccounts extends Merging, Pick<LockedMerge, 'wallets' | 'ended'> {
  readonly reason: string
  readonly actor: string
}

async function mergeLocked(
  tx: Tx,
  { jobs, now }: Pick<Deps, 'jobs' | 'now'>,
  { fromId, intoId, wallets, ended, actor, reason }: LockedAccounts,
): Promise<Merged> {
  const merging = { fromId, intoId }
  for (const { userId } of ended) await keepAccount(tx, { now }, userId, actor)
  const ratings = await readMerged(tx, merging, await previewMoney(tx, merging))
  const money = await mergeMoney(tx, merging, wallets)
  await mergeRatings(tx, merging)
  await mergeCarts(tx, merging)
  await mergeWishes(tx, merging)
  await mergeWaits(tx, merging)
  await mergeFollows(tx, merging)
  await mergeRooms(tx, merging)
  await mergeReadings(tx, merging)
  await mergeShelves(tx, merging)
  await mergeMarks(tx, merging)
  await tx.updateTable('reports').set({ userId: intoId }).where('userId', '=', fromId).execute()

  await tx
    .updateTable('users')
    .set({ mergedInto: intoId, blockedAt: sql<Date>`coalesce(blocked_at, ${new Date(now())})` })
    .where('id', '=', fromId)
    .execute()
  await tx.deleteFrom('passwordResets').where('userId', '=', fromId).execute()
  await tx.deleteFrom('emailConfirmations').where('userId', '=', fromId).execute()
  await tx.deleteFrom('phoneCodes').where('userId', '=', fromId).execute()
  await tx.deleteFrom('codeRequests').where('userId', '=', fromId).execute()
  await tx.deleteFrom('contactChanges').where('userId', '=', fromId).execute()
  await endExport(tx, fromId)
  await endSessions(tx, fromId)
  await logStaff(tx, { actor, action: 'merge', subject: userSubject(fromId), reason })
  await logStaff(tx, {
    actor,
    action: 'take over account',
    subject: userSubject(intoId),
    reason: `${userActor(fromId)}: ${reason}`,
  })
  await enqueueMail(tx, jobs, 'account_merged', { userId: fromId })
  return { ...ratings, ...money }
}

interface Account {
  readonly id: number
  readonly role: string
  readonly blockedAt: Date | null
  readonly mergedInto: number | null
  readonly deletedAt: Date | null
}

async function requireMergeable(
  db: Kysely<Schema>,
  { fromId, intoId }: Merging,
  accounts: readonly Account[],
): Promise<void> {
  const from = accounts.find(({ id }) => id === fromId)
  const into = accounts.find(({ id }) => id === intoId)
  if (from && from.mergedInto !== null) {
    const subject = userSubject(fromId)
    throw (await doneBefore(db, { subject, actions: ['merge'] })) ?? fault('account_closed')
  }
  if (from?.deletedAt) throw fault('account_closed')
  const areCustomers = from?.role === 'PARENT' && into?.role === 'PARENT'
  if (!areCustomers || fromId === intoId || into.blockedAt) throw fault('not_two_customers')
}

/**
 * The deletions that the merge ends. Throws `deletion_asked` where another one is asked for, since
 * it would delete both accounts, and `return_waits` where the money may have left already.
 */
async function requireKept(
  db: Kysely<Schema>,
  { fromId, intoId }: Merging,
  endsDeletionOf: readonly number[],
) {
  const asked = await askedDeletions(db, [fromId, intoId])
  for (const { userId } of asked) {
    if (!endsDeletionOf.includes(userId)) throw fault('deletion_asked')
    await requireNoReturn(db, userId)
  }
  return asked
}

async function readMerged(
  db: Kysely<Schema>,
  { fromId, intoId }: Merging,
  money: MergedMoney,
): Promise<Merged> {
  const { rows } = await sql<Omit<Merged, keyof MergedMoney>>`
    SELECT
      (SELECT count(*)::integer FROM ratings WHERE user_id = ${fromId}) - dropped.count AS ratings,
      dropped.count AS dropped_ratings,
      (SELECT count(*)::integer FROM chat_rooms
        WHERE customer_id = ${fromId} AND last_message_id IS NOT NULL) AS conversations,
      (SELECT count(*)::integer FROM wishlist_items item WHERE user_id = ${fromId}
        AND NOT EXISTS (SELECT FROM wishlist_items kept
          WHERE kept.user_id = ${intoId} AND kept.document_id = item.document_id)) AS wishes,
      (SELECT count(*)::integer FROM cart_items item WHERE user_id = ${fromId}
        AND NOT EXISTS (SELECT FROM cart_items kept
          WHERE kept.user_id = ${intoId} AND kept.document_id = item.document_id)
        AND NOT EXISTS (SELECT FROM purchases owned
          WHERE owned.user_id IN (${fromId}, ${intoId})
            AND owned.document_id = item.document_id)) AS cart_items
    FROM (
      SELECT count(*)::integer AS count FROM ratings gone JOIN ratings kept
        ON kept.document_id = gone.document_id OR kept.teacher_id = gone.teacher_id
      WHERE gone.user_id = ${fromId} AND kept.user_id = ${intoId}
    ) AS dropped`.execute(db)
  const [found] = rows
  if (!found) throw new Error('the merge was not counted')
  return { ...money, ...found }
}
