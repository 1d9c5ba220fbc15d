import { type Kysely, sql } from 'kysely'

/**
 * Wishlists; and sums of ratings that the database itself maintains, so that they are right however
 * a rating is written or a document granted (a purchase, an order that is settled later, an
 * import).
 */
const statements = [
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
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db)
}
