import { sql } from 'kysely'
import { migration } from './migration.ts'

/**
 * Wishlists; and sums of ratings that the database itself maintains, so that they are right however
 * a rating is written or a document granted (a purchase, an order that is settled later, an
 * import).
 */
const wishlists = migration(
  sql`CREATE TABLE wishlist_items (
    user_id integer NOT NULL REFERENCES users (id),
    document_id integer NOT NULL REFERENCES documents (id),
    added_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (user_id, document_id)
  )`,

  sql`CREATE INDEX ratings_document_newest ON ratings (document_id, created_at DESC, id DESC)`,
  sql`CREATE INDEX ratings_teacher_newest ON ratings (teacher_id, created_at DESC, id DESC)`,
  sql`CREATE INDEX ratings_newest ON ratings (created_at DESC, id DESC)`,

  // Only verified ratings count. The functions add differences to the stored sum and never write a
  // sum read earlier: two users who rate at once wait for each other at the row, and both count.
  sql`CREATE FUNCTION count_rating(rated ratings, sign integer) RETURNS void
    LANGUAGE sql AS $$
      UPDATE documents
        SET rating_sum = rating_sum + sign * rated.stars, rating_count = rating_count + sign
        WHERE id = rated.document_id AND rated.is_verified;
      UPDATE teachers
        SET rating_sum = rating_sum + sign * rated.stars, rating_count = rating_count + sign,
          review_count = review_count + CASE WHEN rated.comment <> '' THEN sign ELSE 0 END
        WHERE id = rated.teacher_id AND rated.is_verified;
    $$`,
  sql`CREATE FUNCTION count_ratings() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN PERFORM count_rating(OLD, -1); END IF;
      IF TG_OP <> 'DELETE' THEN PERFORM count_rating(NEW, 1); END IF;
      RETURN NULL;
    END $$`,
  sql`CREATE TRIGGER ratings_counted AFTER INSERT OR UPDATE OR DELETE ON ratings
    FOR EACH ROW EXECUTE FUNCTION count_ratings()`,

  // A rating from before the purchase becomes an owner's.
  sql`CREATE FUNCTION verify_ratings() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE ratings SET is_verified = true FROM granted
        WHERE ratings.document_id = granted.document_id AND ratings.user_id = granted.user_id
          AND NOT ratings.is_verified;
      UPDATE ratings SET is_verified = true FROM granted
        JOIN documents ON documents.id = granted.document_id
        WHERE ratings.teacher_id = documents.teacher_id AND ratings.user_id = granted.user_id
          AND NOT ratings.is_verified;
      RETURN NULL;
    END $$`,
  sql`CREATE TRIGGER purchases_verify AFTER INSERT ON purchases
    REFERENCING NEW TABLE AS granted
    FOR EACH STATEMENT EXECUTE FUNCTION verify_ratings()`,
)

/** Confirmed addresses, ratings that staff can hide, and the rule for which ratings count. */
const trustedRatings = migration(
  sql`ALTER TABLE users ADD COLUMN email_confirmed_at timestamptz`,
  // These addresses belong to the shop itself.
  sql`UPDATE users SET email_confirmed_at = created_at WHERE is_demo`,
  // Only the SHA-256 of a token is stored, as for password resets.
  sql`CREATE TABLE email_confirmations (
    token_hash text PRIMARY KEY CHECK (token_hash ~ '^[0-9a-f]{64}$'),
    user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
  )`,
  sql`CREATE INDEX email_confirmations_user ON email_confirmations (user_id)`,
  sql`CREATE INDEX email_confirmations_expiry ON email_confirmations (expires_at)`,

  sql`DROP TRIGGER purchases_verify ON purchases`,
  sql`DROP FUNCTION verify_ratings`,
  sql`DROP TRIGGER ratings_counted ON ratings`,
  sql`ALTER TABLE ratings RENAME COLUMN is_verified TO counts`,
  sql`ALTER TABLE ratings
    ADD COLUMN hidden_at timestamptz,
    ADD COLUMN hidden_reason text,
    -- A hidden rating that its author deleted: nobody sees it, and a new rating in its place stays
    -- hidden.
    ADD COLUMN withdrawn_at timestamptz,
    -- When it was written, its author could not confirm an address yet.
    ADD COLUMN predates_confirmation boolean NOT NULL DEFAULT true,
    ADD CHECK ((hidden_at IS NULL) = (hidden_reason IS NULL)),
    ADD CHECK (withdrawn_at IS NULL OR hidden_at IS NOT NULL)`,
  sql`ALTER TABLE ratings ALTER COLUMN predates_confirmation SET DEFAULT false`,
  sql`CREATE INDEX ratings_user ON ratings (user_id)`,

  sql`CREATE FUNCTION rating_is_public(rated ratings) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT rated.hidden_at IS NULL AND (rated.predates_confirmation OR EXISTS (
      SELECT FROM users WHERE id = rated.user_id AND email_confirmed_at IS NOT NULL
    ))
  $$`,
  // The only definition: a document's rating counts if its author owns the document, a teacher's if
  // its author paid for one of the teacher's documents. A refund undoes the purchase.
  sql`CREATE FUNCTION rating_counts(rated ratings) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT rating_is_public(rated) AND EXISTS (
      SELECT FROM purchases p JOIN documents d ON d.id = p.document_id
      WHERE p.user_id = rated.user_id
        AND (p.document_id = rated.document_id
          OR (d.teacher_id = rated.teacher_id AND p.price > 0))
    )
  $$`,
  // The correct sums of documents and teachers.
  sql`CREATE FUNCTION recounted_ratings() RETURNS TABLE (
      document_id integer, teacher_id integer,
      rating_sum integer, rating_count integer, review_count integer
    ) LANGUAGE sql STABLE AS $$
      SELECT r.document_id, r.teacher_id, sum(r.stars)::integer, count(*)::integer,
        count(*) FILTER (WHERE r.comment <> '')::integer
      FROM ratings r WHERE rating_counts(r)
      GROUP BY r.document_id, r.teacher_id
    $$`,

  sql`UPDATE ratings SET counts = rating_counts(ratings) WHERE counts <> rating_counts(ratings)`,
  sql`UPDATE documents SET rating_sum = sums.rating_sum, rating_count = sums.rating_count
    FROM (
      SELECT d.id, coalesce(r.rating_sum, 0) AS rating_sum, coalesce(r.rating_count, 0) AS rating_count
      FROM documents d LEFT JOIN recounted_ratings() r ON r.document_id = d.id
      WHERE EXISTS (SELECT FROM ratings WHERE document_id = d.id)
    ) AS sums
    WHERE documents.id = sums.id
      AND (documents.rating_sum, documents.rating_count) <> (sums.rating_sum, sums.rating_count)`,
  sql`UPDATE teachers SET rating_sum = sums.rating_sum, rating_count = sums.rating_count,
      review_count = sums.review_count
    FROM (
      SELECT t.id, coalesce(r.rating_sum, 0) AS rating_sum,
        coalesce(r.rating_count, 0) AS rating_count, coalesce(r.review_count, 0) AS review_count
      FROM teachers t LEFT JOIN recounted_ratings() r ON r.teacher_id = t.id
      WHERE EXISTS (SELECT FROM ratings WHERE teacher_id = t.id)
    ) AS sums
    WHERE teachers.id = sums.id`,

  // From here on, every change that decides whether a rating counts (the rating itself, a purchase,
  // a refund, a confirmed address) evaluates the rule again, for one change of an author at a time:
  // it locks the author's wallet, which purchases and refunds lock first, too.
  sql`CREATE FUNCTION lock_rater(rater integer) RETURNS void LANGUAGE sql AS $$
    SELECT FROM accounts WHERE user_id = rater FOR NO KEY UPDATE
  $$`,
  sql`CREATE FUNCTION decide_rating() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM lock_rater(NEW.user_id);
      NEW.counts := rating_counts(NEW);
      RETURN NEW;
    END $$`,
  sql`CREATE TRIGGER ratings_decided BEFORE INSERT OR UPDATE ON ratings
    FOR EACH ROW EXECUTE FUNCTION decide_rating()`,

  sql`CREATE OR REPLACE FUNCTION count_rating(rated ratings, sign integer) RETURNS void
    LANGUAGE sql AS $$
      UPDATE documents
        SET rating_sum = rating_sum + sign * rated.stars, rating_count = rating_count + sign
        WHERE id = rated.document_id AND rated.counts;
      UPDATE teachers
        SET rating_sum = rating_sum + sign * rated.stars, rating_count = rating_count + sign,
          review_count = review_count + CASE WHEN rated.comment <> '' THEN sign ELSE 0 END
        WHERE id = rated.teacher_id AND rated.counts;
    $$`,
  // Pages change if anyone but the author sees a difference.
  sql`CREATE FUNCTION note_rating(rated ratings) RETURNS void LANGUAGE sql AS $$
    INSERT INTO page_changes (tags, soon)
    SELECT CASE WHEN rated.teacher_id IS NULL
      THEN ARRAY['document:' || rated.document_id, 'catalogue']
      ELSE ARRAY['teacher:' || rated.teacher_id, 'teachers'] END, true
    WHERE rating_is_public(rated)
  $$`,
  sql`CREATE OR REPLACE FUNCTION count_ratings() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN
        PERFORM count_rating(OLD, -1);
        PERFORM note_rating(OLD);
      END IF;
      IF TG_OP <> 'DELETE' THEN
        PERFORM count_rating(NEW, 1);
        PERFORM note_rating(NEW);
      END IF;
      RETURN NULL;
    END $$`,
  sql`CREATE TRIGGER ratings_counted AFTER INSERT OR UPDATE OR DELETE ON ratings
    FOR EACH ROW EXECUTE FUNCTION count_ratings()`,

  sql`CREATE FUNCTION decide_buyers_ratings() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      changed purchases := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
    BEGIN
      PERFORM lock_rater(changed.user_id);
      UPDATE ratings SET counts = rating_counts(ratings)
        WHERE user_id = changed.user_id AND document_id = changed.document_id
          AND counts <> rating_counts(ratings);
      UPDATE ratings SET counts = rating_counts(ratings)
        WHERE user_id = changed.user_id
          AND teacher_id = (SELECT teacher_id FROM documents WHERE id = changed.document_id)
          AND counts <> rating_counts(ratings);
      RETURN NULL;
    END $$`,
  // Runs at the commit, when the sale has locked the documents that are counted here, in the order
  // in which all sales lock them. It locks teachers item by item: two sales whose buyers have rated
  // the same teachers may deadlock, and one of them runs again (`transaction`).
  sql`CREATE CONSTRAINT TRIGGER purchases_decide_ratings AFTER INSERT OR DELETE ON purchases
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION decide_buyers_ratings()`,

  sql`CREATE FUNCTION decide_authors_ratings() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      rated record;
    BEGIN
      PERFORM lock_rater(NEW.id);
      -- Documents before teachers, lower ids first, as sales lock them.
      FOR rated IN SELECT id FROM ratings WHERE user_id = NEW.id ORDER BY document_id, teacher_id
      LOOP
        UPDATE ratings SET counts = rating_counts(ratings) WHERE id = rated.id;
      END LOOP;
      RETURN NULL;
    END $$`,
  sql`CREATE TRIGGER users_decide_ratings AFTER UPDATE OF email_confirmed_at ON users
    FOR EACH ROW WHEN (OLD.email_confirmed_at IS DISTINCT FROM NEW.email_confirmed_at)
    EXECUTE FUNCTION decide_authors_ratings()`,
)

/** Answers of teachers to ratings, and the messages of customers that ask about a document. */
const answers = migration(
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
)

export const ratingsMigrations = {
  '0002-wishlists': wishlists,
  '0010-trusted-ratings': trustedRatings,
  '0017-answers': answers,
}
