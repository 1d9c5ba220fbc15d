import { type Kysely, sql } from 'kysely'

/** Answers of teachers to ratings, and the messages of customers that ask about a document. */
const statements = [
  // Deleted with its rating. `rated_at` is the time of the rating when it was answered: if the
  // author changes the rating, the times differ.
  sql`CREATE TABLE rating_answers (
    rating_id integer PRIMARY KEY REFERENCES ratings (id) ON DELETE CASCADE,
    text text NOT NULL CHECK (length(text) BETWEEN 1 AND 1000),
    answered_at timestamptz NOT NULL DEFAULT now(),
    rated_at timestamptz NOT NULL
  )`,
  sql`CREATE TABLE document_questions (
    message_id bigint PRIMARY KEY REFERENCES chat_messages (id) ON DELETE CASCADE,
    document_id integer NOT NULL REFERENCES documents (id) ON DELETE CASCADE
  )`,
  sql`CREATE INDEX document_questions_document ON document_questions (document_id, message_id)`,

  // A customer's message asks about the document whose address it contains, or the last of several:
  // "ask about this document" appends the address.
  sql`CREATE FUNCTION note_question(message chat_messages) RETURNS void LANGUAGE sql AS $$
    INSERT INTO document_questions (message_id, document_id)
    SELECT message.id, documents.id
    FROM chat_rooms JOIN documents ON documents.id = substring(
      message.content FROM '.*https?://[^[:space:]]+/shop-details/([1-9][0-9]{0,8})(?![[:alnum:]_-])'
    )::integer
    WHERE chat_rooms.id = message.room_id AND chat_rooms.customer_id = message.sender_id
  $$`,
  sql`CREATE FUNCTION note_questions() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM note_question(NEW);
      RETURN NULL;
    END $$`,
  sql`CREATE TRIGGER chat_messages_questions AFTER INSERT ON chat_messages
    FOR EACH ROW WHEN (NEW.content LIKE '%/shop-details/%') EXECUTE FUNCTION note_questions()`,
  sql`SELECT note_question(message) FROM chat_messages message
    WHERE message.content LIKE '%/shop-details/%' ORDER BY message.id`,
]

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(database)
}
