import type { Kysely } from 'kysely'
import type { Locale } from '../../../i18n/locales.ts'
import { fullName } from '../../../rules/full-name.ts'
import { TEACHERS_TAG } from '../../../rules/page-tags.ts'
import type { StaffRole } from '../../../rules/roles.ts'
import type { Schema } from '../../database/schema.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import type { Origin } from '../../http/route.ts'
import { changePages } from '../../publishing/publishing.ts'
import { logOwn } from '../../staff-log/staff-log.ts'
import { endSessions } from '../ended-sessions.ts'
import { hashLinkToken } from '../link-token.ts'
import { openLogIn } from '../log-ins.ts'
import { readSecondFactor } from './second-factors.ts'

/**
 * The account that an invitation is for. Throws `invalid_invitation` if unknown, used or expired.
 */
export async function readInvitation(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  token: string,
) {
  const user = await live(database.kysely, token, now())
    .innerJoin('users', 'users.id', 'userId')
    .select(['users.email', 'users.role', 'users.firstName', 'users.lastName'])
    .executeTakeFirst()
  if (!user) throw fault('invalid_invitation')
  const role: StaffRole = user.role === 'ADMIN' ? 'ADMIN' : 'TEACHER'
  return { ...user, email: user.email ?? '', role }
}

export interface Acceptance {
  readonly token: string
  readonly firstName: string
  readonly lastName: string
  readonly password: string
  readonly locale: Locale | null
  /** The caller's, for the hashing. */
  readonly turn: string | null
  readonly from: Origin
}

/**
 * Gives the invited account its name and password; a teacher gets a public page. All earlier
 * sessions and all other invitations of the account end. Returns a token of the office, or null
 * where the account has to log in: it has a second factor, or is blocked. Throws
 * `invalid_invitation`.
 */
export async function acceptInvitation(
  deps: Pick<Deps, 'database' | 'passwords' | 'publisher' | 'secret' | 'now'>,
  { token, firstName, lastName, password, locale, turn, from }: Acceptance,
): Promise<string | null> {
  const { database, now } = deps
  // Hashing is expensive: an invalid token is refused first.
  if (!(await live(database.kysely, token, now()).select('userId').executeTakeFirst())) {
    throw fault('invalid_invitation')
  }
  const passwordHash = await deps.passwords.hash(password, turn)
  const user = await changePages(deps, async (tx, markStale) => {
    // Deletes all links of the account in one statement: of two used simultaneously, the second
    // finds none.
    const used = await tx
      .deleteFrom('staffInvitations')
      .where('userId', '=', live(tx, token, now()).select('userId'))
      .returning('userId')
      .execute()
    const userId = used[0]?.userId
    if (userId === undefined) throw fault('invalid_invitation')
    await tx.deleteFrom('passwordResets').where('userId', '=', userId).execute()
    const username = fullName({ firstName, lastName })
    const accepted = await tx
      .updateTable('users')
      .set({ passwordHash, firstName, lastName, username, ...(locale && { locale }) })
      .where('id', '=', userId)
      .returning(['id', 'role', 'email', 'blockedAt'])
      .executeTakeFirstOrThrow()
    if (accepted.role === 'TEACHER') {
      const email = accepted.email ?? ''
      await keepTeacher(tx, {
        ...accepted,
        email,
        firstName,
        lastName,
        approvedAt: new Date(now()),
      })
      markStale([TEACHERS_TAG])
    }
    await logOwn(tx, userId, 'accept invitation')
    return { ...accepted, generation: await endSessions(tx, userId) }
  })
  const { isOn } = await readSecondFactor(database, user.id)
  if (isOn || user.blockedAt) return null
  return openLogIn(deps, { ...user, factors: 1 }, from)
}

interface NewTeacher extends Record<'email' | 'firstName' | 'lastName', string> {
  readonly id: number
  readonly approvedAt: Date
}

/**
 * Links an account to a teacher: the one that it already has, else one with its e-mail address and
 * no account, such as an imported one, else a new one.
 */
async function keepTeacher(
  tx: Tx,
  { id, email, firstName, lastName, approvedAt }: NewTeacher,
): Promise<void> {
  const taken = await tx
    .updateTable('teachers')
    .set({ userId: id, approvedAt })
    .where('id', '=', (db) =>
      db
        .selectFrom('teachers')
        .select((row) => row.fn.min('id').as('id'))
        .where((row) => row.fn('lower', ['email']), '=', email)
        .where('email', '<>', '')
        .where('userId', 'is', null),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('teachers as own').select('own.id').where('own.userId', '=', id))),
    )
    .returning('id')
    .executeTakeFirst()
  if (!taken) {
    await tx
      .insertInto('teachers')
      .values({ userId: id, firstName, lastName, email, approvedAt })
      // An invitation also approves the account that somebody opened at "sell with us".
      .onConflict((conflict) =>
        conflict
          .column('userId')
          .doUpdateSet({ approvedAt })
          .where('teachers.approvedAt', 'is', null),
      )
      .execute()
  }
}

function live(db: Kysely<Schema>, token: string, now: number) {
  return db
    .selectFrom('staffInvitations')
    .where('tokenHash', '=', hashLinkToken(token))
    .where('expiresAt', '>', new Date(now))
}
