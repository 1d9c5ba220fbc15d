import type { Database } from '../database/pool.ts'
import type { AccountRole } from '../database/schema.ts'
import { readAccounts } from './demo-data.ts'

/** The password of every demo account. */
export const DEMO_PASSWORD = 'karras-demo'

/** An account with the public demo password. */
export interface DemoAccount {
  readonly email: string
  readonly role: AccountRole
  readonly password: string
}

/** The demo accounts in this database. */
export async function demoAccounts({ kysely }: Database): Promise<DemoAccount[]> {
  const known = (await readAccounts()).map(({ email }) => email)
  const rows = await kysely
    .selectFrom('users')
    .select(['email', 'role'])
    .where('isDemo', '=', true)
    .where('email', 'in', known)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, password: DEMO_PASSWORD }))
}
