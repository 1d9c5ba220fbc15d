import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { migrate } from '../../../src/server/database/migrate.ts'
import { migrations } from '../../../src/server/database/migrations/index.ts'
import { openDatabase } from '../../../src/server/database/pool.ts'
import { runStatement, urlOf } from '../../support/database.ts'

const NAME = '0017-answers'

/** A customer and an administrator who chatted about two documents. */
const BEFORE = `
  INSERT INTO users (id, email, username, first_name, last_name, role, password_hash)
    VALUES (1, 'u@karras.test', 'u', 'Amal', 'B', 'PARENT', ''),
      (2, 'a@karras.test', 'a', 'Mehdi', 'C', 'ADMIN', '');
  INSERT INTO teachers (id, first_name, last_name, email) VALUES (1, 'T', 'T', 't');
  INSERT INTO documents (id, teacher_id, title) VALUES (1, 1, 'd'), (12, 1, 'e');
  INSERT INTO chat_rooms (id, customer_id, administrator_id) VALUES ('room_1_2', 1, 2);
  INSERT INTO chat_messages (id, room_id, sender_id, receiver_id, content) VALUES
    (1, 'room_1_2', 1, 2, 'Salam'),
    (2, 'room_1_2', 1, 2, 'Corrigé ? https://karras.tn/fr/shop-details/12'),
    (3, 'room_1_2', 2, 1, 'Voir https://karras.tn/shop-details/1'),
    (4, 'room_1_2', 1, 2, 'https://karras.tn/shop-details/12 ou https://karras.tn/shop-details/1'),
    (5, 'room_1_2', 1, 2, 'https://karras.tn/shop-details/99')`

test('existing questions about documents are found', async () => {
  const { url: server, template } = inject('databaseServer')
  const name = template.replace('template', 'before_answers')
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
  await migrate(url)
  const { rows } = await sql`
    SELECT message_id, document_id FROM document_questions ORDER BY message_id`.execute(
    database.kysely,
  )
  expect(rows).toEqual([
    { messageId: 2, documentId: 12 },
    { messageId: 4, documentId: 1 },
  ])
})
