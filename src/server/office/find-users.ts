import { foldEmail } from '../accounts/accounts.ts'
import type { Deps } from '../deps.ts'
import { findPerson, nameOf, type PersonRow, stateOf } from '../people/people.ts'
import { readId, refusal } from './command.ts'

/** The account with this e-mail address or id; throws an `OfficeError` if there is none. */
export async function findUser({ database }: Deps, typed: string): Promise<PersonRow> {
  const email = foldEmail(typed)
  const by = email.includes('@') ? { email } : { id: readId(typed, 'e-mail or user id') }
  const user = await findPerson(database.kysely, by)
  if (!user) throw refusal(`There is no account ${typed}.`)
  return user
}

export function presentUser(user: PersonRow) {
  return {
    id: user.id,
    email: user.email,
    phone: user.phone,
    name: nameOf(user),
    role: user.role,
    state: stateOf(user),
    createdAt: user.createdAt,
    blockedAt: user.blockedAt,
    mergedInto: user.mergedInto,
  }
}
