import { sql } from 'kysely'
import { additive } from './migration.ts'

/** What accounts follow, and the facts that their news are made of. */
const following = additive(
  '0024-following',
  sql`CREATE TABLE follows (
    user_id integer NOT NULL REFERENCES users (id),
    teacher_id integer REFERENCES teachers (id) ON DELETE CASCADE,
    niveau_id integer REFERENCES niveaux (id) ON DELETE CASCADE,
    matiere_id integer REFERENCES matieres (id) ON DELETE CASCADE,
    followed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE NULLS NOT DISTINCT (user_id, teacher_id, niveau_id, matiere_id),
    CHECK ((teacher_id IS NULL) = (niveau_id IS NOT NULL)
      AND (niveau_id IS NULL) = (matiere_id IS NULL))
  )`,
  sql`CREATE INDEX follows_teacher ON follows (teacher_id)`,
  // A wait for a correction ends when it comes, and its news stay.
  sql`CREATE TABLE told_corrections (
    user_id integer NOT NULL REFERENCES users (id),
    document_id integer NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    told_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (user_id, document_id)
  )`,
  sql`CREATE INDEX told_corrections_age ON told_corrections (told_at)`,
  sql`ALTER TABLE users ADD COLUMN news_seen_at timestamptz NOT NULL DEFAULT now()`,
  // When its price last fell while it was for sale, and what was to be paid before.
  sql`ALTER TABLE documents ADD COLUMN price_fell_at timestamptz, ADD COLUMN fell_from bigint`,
  sql`CREATE FUNCTION note_fall() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.price_fell_at := clock_timestamp();
      NEW.fell_from := OLD.final_price;
      RETURN NEW;
    END $$`,
  // final_price of the new row is not made yet.
  sql`CREATE TRIGGER documents_price_fell BEFORE UPDATE OF price, price_discount ON documents
    FOR EACH ROW WHEN (OLD.state = 'published' AND NEW.state = 'published'
      AND OLD.final_price > CASE WHEN NEW.price_discount > 0 AND NEW.price_discount < NEW.price
        THEN NEW.price_discount ELSE NEW.price END)
    EXECUTE FUNCTION note_fall()`,
  sql`CREATE INDEX documents_published_by ON documents (teacher_id, first_published_at)
    WHERE is_published`,
  sql`CREATE INDEX documents_published_in ON documents (niveau_id, matiere_id, first_published_at)
    WHERE is_published`,
)

/** Which accounts get the weekly mail, and when each was last looked at. */
const weeklyNews = additive(
  '0025-weekly-news',
  sql`ALTER TABLE users
    ADD COLUMN wants_news boolean NOT NULL DEFAULT true,
    ADD COLUMN news_mailed_at timestamptz NOT NULL DEFAULT now(),
    -- Names the mail that waits in the queue; null: none, or it was handed over.
    ADD COLUMN news_queued_at timestamptz`,
  sql`CREATE INDEX users_news_due ON users (news_mailed_at) WHERE wants_news`,
)

export const followingMigrations = { ...following, ...weeklyNews }
