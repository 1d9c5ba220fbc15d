import { type Kysely, sql } from 'kysely'

/** The shop's common inbox: an account that nobody logs in to, and the authors of its messages. */
const statements = [
  sql`ALTER TABLE users DROP CONSTRAINT users_role_check`,
  sql`ALTER TABLE users ADD CONSTRAINT users_role_check
    CHECK (role IN ('PARENT', 'TEACHER', 'ADMIN', 'SHOP'))`,
  // No password has this hash.
  sql`ALTER TABLE users ADD CONSTRAINT users_shop_has_no_password
    CHECK (role <> 'SHOP' OR password_hash = '')`,
  sql`CREATE UNIQUE INDEX users_one_shop ON users (role) WHERE role = 'SHOP'`,
  sql`ALTER TABLE chat_messages ADD author_id integer REFERENCES users (id)`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
