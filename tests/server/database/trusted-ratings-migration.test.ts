import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { migrate } from '../../../src/server/database/migrate.ts'
import { migrations } from '../../../src/server/database/migrations/index.ts'
import { openDatabase } from '../../../src/server/database/pool.ts'
import { checkRatings } from '../../../src/server/ratings/check.ts'
import { rate } from '../../../src/server/ratings/rate.ts'
import { ratingsOf } from '../../../src/server/ratings/read-ratings.ts'
import { runStatement, urlOf } from '../../support/database.ts'

const NAME = '0010-trusted-ratings'

/**
 * Two teachers; a paid and a free document of the first. Four existing accounts, one of the demo.
 */
const BEFORE = `
  INSERT INTO users (id, email, username, first_name, last_name, role, password_hash, is_demo)
  SELECT id, 'u' || id || '@karras.test', 'u', 'Amal', 'B', 'PARENT', '', id = 5
  FROM generate_series(1, 5) AS id;
  INSERT INTO accounts (kind, user_id, balance) SELECT 'customer', id, 0 FROM users;
  INSERT INTO teachers (id, first_name, last_name, email) VALUES (1, 'T', 'T', 't'), (2, 'T', 'T', 't');
  INSERT INTO categories (id, name) VALUES (1, 'c');
  INSERT INTO matieres (id, name) VALUES (1, 'm');
  INSERT INTO niveaux (id, name, level, position) VALUES (1, 'n', 'primary-school', 1);
  INSERT INTO files (id, storage_key, media_type, file_type, size, sha256)
    VALUES (1, 'a.pdf', 'application/pdf', 'pdf', 1, 'a');
  INSERT INTO documents (id, teacher_id, title, price, category_id, matiere_id, niveau_id, level,
      audience, search_text, file_id)
    SELECT id, 1, 'd', (id - 1) * 5000, 1, 1, 1, 'primary-school', 'Pour Élève', ' d ', 1
    FROM generate_series(1, 2) AS id;
  INSERT INTO orders (id, buyer_id, status, method, total) SELECT id, id, 'paid', 'wallet', 0 FROM users;
  -- Document 1 is free: the first three have it, the first one paid for the other as well.
  INSERT INTO purchases (user_id, document_id, order_id, price)
    VALUES (1, 1, 1, 0), (2, 1, 2, 0), (3, 1, 3, 0), (1, 2, 1, 5000);
  INSERT INTO ratings (user_id, document_id, stars, comment, is_verified)
    VALUES (1, 1, 5, 'a', true), (2, 1, 3, 'b', true), (4, 1, 1, 'c', false);
  INSERT INTO ratings (user_id, teacher_id, stars, comment, is_verified)
    VALUES (1, 1, 4, 'a', true), (2, 1, 1, 'forged', true), (3, 1, 1, '', true), (4, 1, 1, 'x', false)`

test('existing ratings stay visible; those based on a free document no longer count', async () => {
  const { url: server, template } = inject('databaseServer')
  const name = template.replace('template', 'before_ratings')
  await runStatement(server, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`)
  const url = urlOf(server, name)
  const database = openDatabase(url)
  onTestFinished(async () => {
    await database.close()
    await runStatement(server, `DROP DATABASE ${name} WITH (FORCE)`)
  })
  const earlier = Object.entries(migrations).filter(([key]) => key < NAME)
  await migrate(url, { migrations: Object.fromEntries(earlier) })
  for (const statement of BEFORE.split(';')) await runStatement(url, statement)
  const sums = async () => {
    const { rows } = await sql`
      SELECT rating_sum, rating_count, null AS reviews FROM documents WHERE id = 1
      UNION ALL SELECT rating_sum, rating_count, review_count FROM teachers WHERE id = 1`.execute(
      database.kysely,
    )
    return rows.map((row) => Object.values(row as object))
  }
  expect(await sums()).toEqual([
    [8, 2, null],
    [6, 3, 2],
  ])

  expect(await migrate(url)).toContain(NAME)
  expect(await sums()).toEqual([
    [8, 2, null],
    [4, 1, 1],
  ])
  expect(await checkRatings(database.kysely)).toEqual([])
  const { kysely } = database
  const confirmed = await kysely
    .selectFrom('users')
    .select('id')
    .where('emailConfirmedAt', 'is not', null)
    .execute()
  expect(confirmed).toEqual([{ id: 5 }])
  const document = { kind: 'document', id: 1 } as const
  const shown = async () => (await ratingsOf(kysely, undefined, document)).map((r) => r.userId)
  expect((await shown()).sort()).toEqual([1, 2, 4])

  // Written again, it is a rating like any other.
  await rate(database, 2, document, { stars: 2, comment: 'b' })
  expect((await shown()).sort()).toEqual([1, 4])
  expect((await sums())[0]).toEqual([5, 1, null])
})
