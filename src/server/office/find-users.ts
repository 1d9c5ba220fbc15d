import { sql } from 'kysely'
import { foldEmail } from '../accounts/accounts.ts'
import type { AccountRole } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import { readId, refusal } from './command.ts'

/** Accounts on a page of `users`. */
export const USERS_LISTED = 50

function selectUsers({ database }: Deps) {
  return (
    database.kysely
      .selectFrom('users')
      // The account of the common inbox is nobody's.
      .where('role', '<>', 'SHOP')
      .select(['id', 'email', 'phone', 'username', 'firstName', 'lastName', 'role'])
      .select(['createdAt', 'blockedAt', sql<boolean>`password_hash IS NULL`.as('is_invited')])
  )
}

/** An account as the command line shows it; its password's hash is not in it. */
export type UserRow = Awaited<ReturnType<ReturnType<typeof selectUsers>['execute']>>[number]

/** The newest accounts that match, a page of them (from 1), and how many there are in all. */
export async function findUsers(
  deps: Deps,
  wanted: { search: string | undefined; role: AccountRole | undefined; page: number },
): Promise<{ users: UserRow[]; total: number }> {
  let query = selectUsers(deps)
  if (wanted.role) query = query.where('role', '=', wanted.role)
  if (wanted.search) {
    // What is typed is text, not a pattern.
    const part = `%${wanted.search.trim().replace(/[\\%_]/g, '\\$&')}%`
    query = query.where(
      sql<boolean>`(email ILIKE ${part} OR phone LIKE ${part} OR username ILIKE ${part}
        OR first_name || ' ' || last_name ILIKE ${part})`,
    )
  }
  const { total } = await query
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const users = await query
    .orderBy('id', 'desc')
    .limit(USERS_LISTED)
    .offset((wanted.page - 1) * USERS_LISTED)
    .execute()
  return { users, total: Number(total) }
}

/** The account with this e-mail or id; an `OfficeError` where there is none. */
export async function findUser(deps: Deps, typed: string): Promise<UserRow> {
  const query = typed.includes('@')
    ? selectUsers(deps).where('email', '=', foldEmail(typed))
    : selectUsers(deps).where('id', '=', readId(typed, 'e-mail, nor user'))
  const user = await query.executeTakeFirst()
  if (!user) throw refusal(`There is no account ${typed}.`)
  return user
}

export function stateOf({ blockedAt, is_invited }: UserRow): 'active' | 'blocked' | 'invited' {
  if (blockedAt) return 'blocked'
  return is_invited ? 'invited' : 'active'
}

export function nameOf({ firstName, lastName, username }: UserRow): string {
  return `${firstName} ${lastName}`.trim() || username
}

export function presentUser(user: UserRow) {
  return {
    id: user.id,
    email: user.email,
    phone: user.phone,
    name: nameOf(user),
    role: user.role,
    state: stateOf(user),
    createdAt: user.createdAt,
    blockedAt: user.blockedAt,
  }
}
