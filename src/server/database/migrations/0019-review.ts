import { type Kysely, sql } from 'kysely'

/**
 * The data of the first page of the administrators' office: who waits for an answer, and the upkeep
 * of the shop.
 */
const statements = [
  sql`ALTER TABLE chat_rooms
    -- Since when the customer has waited for an answer; null if the shop wrote last.
    ADD COLUMN unanswered_since timestamptz`,
  sql`UPDATE chat_rooms room SET unanswered_since = (
    SELECT min(message.created_at) FROM chat_messages message
    WHERE message.room_id = room.id AND message.sender_id = room.customer_id
      AND message.id > coalesce((
        SELECT max(answer.id) FROM chat_messages answer
        WHERE answer.room_id = room.id AND answer.sender_id <> room.customer_id), 0)
  ) WHERE last_message_id IS NOT NULL`,
  sql`CREATE INDEX chat_rooms_unanswered ON chat_rooms (administrator_id, unanswered_since)
    WHERE unanswered_since IS NOT NULL`,
  sql`CREATE INDEX imports_failed ON imports (changed_at) WHERE phase = 'failed'`,
  // The last run of each task.
  sql`CREATE TABLE upkeep (
    what text PRIMARY KEY CHECK (what IN ('backup', 'ledger')),
    done_at timestamptz NOT NULL,
    -- Since when the task has reported a problem; null: none.
    wrong_since timestamptz
  )`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
