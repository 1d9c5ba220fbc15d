import { type Kysely, sql } from 'kysely'
import type { PeopleFilters, Person, PersonSort } from '../../contract/office-people.ts'
import { fullName, nameOrContact } from '../../rules/full-name.ts'
import { PAGE_SIZE } from '../../rules/pager.ts'
import type { Role } from '../../rules/roles.ts'
import type { Database } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import { inOrder } from '../database/sql-parts.ts'
import { foldPeople, isMeantBy } from '../people-search/people-search.ts'

// As in the index `users_name_in_order`, which sorts by it.
const NAME = inOrder(sql`(users.first_name || ' ' || users.last_name)`)

const ORDERS: Record<PersonSort, ReturnType<typeof sql>> = {
  '-since': sql`users.created_at DESC, users.id DESC`,
  since: sql`users.created_at, users.id`,
  name: sql`${NAME}, users.id`,
  '-name': sql`${NAME} DESC, users.id DESC`,
}

const FILTERS: Record<NonNullable<PeopleFilters['state']>, ReturnType<typeof sql<boolean>>> = {
  blocked: sql`users.blocked_at IS NOT NULL AND users.merged_into IS NULL
    AND users.deleted_at IS NULL`,
  invited: sql`users.password_hash IS NULL AND users.merged_into IS NULL
    AND users.deleted_at IS NULL`,
  unconfirmed: sql`users.role = 'PARENT' AND users.email_confirmed_at IS NULL
    AND users.phone_confirmed_at IS NULL AND users.merged_into IS NULL
    AND users.deleted_at IS NULL`,
  closed: sql`users.merged_into IS NOT NULL`,
  deleted: sql`users.deleted_at IS NOT NULL`,
}

/** Selects the columns of accounts, without the hashes of passwords. */
function selectPeople(db: Kysely<Schema>) {
  return (
    db
      .selectFrom('users')
      // The account of the common inbox is not a person's.
      .where('users.role', '<>', 'SHOP')
      .select(['users.id', 'users.email', 'users.phone', 'users.username', 'users.locale'])
      .select(['users.firstName', 'users.lastName', 'users.createdAt', 'users.blockedAt'])
      .select(['users.blockedReason', 'users.mergedInto', 'users.emailConfirmedAt'])
      .select('users.deletedAt')
      .select(sql<Role>`users.role`.as('role'))
      .select(sql<boolean>`users.password_hash IS NULL`.as('isInvited'))
  )
}

export type PersonRow = Awaited<ReturnType<ReturnType<typeof selectPeople>['execute']>>[number]

async function passing(
  database: Pick<Database, 'kysely'>,
  { q = '', role, state }: PeopleFilters,
): Promise<ReturnType<typeof selectPeople>> {
  if (q.trim() !== '') await foldPeople(database)
  let query = selectPeople(database.kysely)
  if (role) query = query.where('users.role', '=', role)
  if (state) query = query.where(FILTERS[state])
  if (q.trim() !== '') query = query.where(isMeantBy(q))
  return query
}

/** The newest accounts that a text may mean; without their number, which costs as much again. */
export async function newestPeople(
  database: Pick<Database, 'kysely'>,
  { q, limit }: { q: string; limit: number },
): Promise<PersonRow[]> {
  const query = await passing(database, { q })
  return query.orderBy(ORDERS['-since']).limit(limit).execute()
}

export async function findPeople(
  database: Pick<Database, 'kysely'>,
  { sort = '-since', page = 0, size = PAGE_SIZE, ...filters }: PeopleFilters,
): Promise<{ rows: PersonRow[]; total: number; page: number; size: number }> {
  const query = await passing(database, filters)
  const { total } = await query
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await query
    .orderBy(ORDERS[sort])
    .limit(size)
    .offset(page * size)
    .execute()
  return { rows, total: Number(total), page, size }
}

export function findPerson(
  db: Kysely<Schema>,
  by: { id: number } | { email: string },
): Promise<PersonRow | undefined> {
  const query = selectPeople(db)
  const one =
    'id' in by ? query.where('users.id', '=', by.id) : query.where('users.email', '=', by.email)
  return one.executeTakeFirst()
}

export function stateOf(row: PersonRow): Person['state'] {
  const { mergedInto, deletedAt, blockedAt, isInvited } = row
  if (deletedAt) return 'deleted'
  if (mergedInto !== null) return 'closed'
  if (blockedAt) return 'blocked'
  return isInvited ? 'invited' : 'active'
}

export function nameOf(person: PersonRow): string {
  return fullName(person) || person.username || nameOrContact(person)
}

export function presentPerson(row: PersonRow): Person {
  return {
    id: row.id,
    name: nameOf(row),
    email: row.email,
    phone: row.phone,
    role: row.role,
    state: stateOf(row),
    since: row.createdAt.toISOString(),
    emailConfirmed: row.emailConfirmedAt !== null,
  }
}
