import { hash } from '@node-rs/argon2'
import type { Locale } from '../../src/i18n/locales.ts'
import type { Database } from '../../src/server/database/pool.ts'
import type { AccountRole } from '../../src/server/database/schema.ts'
import { type Factors, signToken } from '../../src/server/http/identity.ts'

/** A person with an account, and a token that is valid for 12 hours. */
export interface Person {
  readonly id: number
  readonly email: string
  readonly phone: string
  readonly role: AccountRole
  readonly token: string
}

export interface PersonOptions {
  email?: string
  phone?: string
  firstName?: string
  lastName?: string
  locale?: Locale
  /** Whether the e-mail address is confirmed; true by default. */
  isConfirmed?: boolean
}

/** Where people are written to. */
export interface Registry {
  readonly database: Database
  readonly secret: Uint8Array
  readonly now: () => number
  /**
   * The number from which people, teachers and documents are counted, which makes their names and
   * addresses unique.
   */
  readonly firstNumber?: number
}

/**
 * Phones of people created here start differently from those of the demo shop, which count from 20
 * 100 001.
 */
const PHONES_FROM = 50_000_000

/** The password of everybody created here. */
export const PASSWORD = 'karras-test'

// Argon2 at minimal cost: a check reads the cost from the hash.
const passwordHash = hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 })

/** Creates people with accounts, each with unique data. */
export function people({ database, secret, now, firstNumber = 0 }: Registry) {
  let count = firstNumber

  return async function aPerson(role: AccountRole, options: PersonOptions): Promise<Person> {
    count++
    const { email = `person${count}@karras.test`, phone = String(PHONES_FROM + count) } = options
    const { id } = await database.kysely
      .insertInto('users')
      .values({
        email,
        phone,
        username: `person${count}`,
        firstName: options.firstName ?? 'Amal',
        lastName: options.lastName ?? `Ben Salah ${count}`,
        gender: 'female',
        role,
        locale: options.locale,
        passwordHash: await passwordHash,
        emailConfirmedAt: options.isConfirmed === false ? null : new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const token = await signToken(secret, { id, role, generation: 0 }, now())
    return { id, email, phone, role, token }
  }
}

/** The same person with an office token, as its log-in returns it. */
export async function withOfficeToken<P extends Person>(
  { secret, now }: Pick<Registry, 'secret' | 'now'>,
  person: P,
  factors: Factors = 2,
): Promise<P> {
  const token = await signToken(secret, { ...person, generation: 0, factors }, now())
  return { ...person, token }
}
