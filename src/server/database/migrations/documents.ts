import { sql } from 'kysely'
import { additive, migration } from './migration.ts'

// The indexes of lists of published documents, with the columns of each in their order.
const INDEXES = {
  newest: 'uploaded_at DESC, id DESC',
  level: 'level, uploaded_at DESC, id DESC',
  matiere: 'matiere_id, uploaded_at DESC, id DESC',
  niveau: 'niveau_id, uploaded_at DESC, id DESC',
  category: 'category_id, uploaded_at DESC, id DESC',
  teacher: 'teacher_id, uploaded_at DESC, id DESC',
  price: 'final_price, id',
  rating: 'rating DESC, id DESC',
  sales: 'sales_count DESC, id DESC',
}

/** A document's life from its draft on, the versions of its file, and unfinished uploads. */
const goods = migration(
  sql`ALTER TABLE documents
    ADD COLUMN state text NOT NULL DEFAULT 'draft'
      CHECK (state IN ('draft', 'submitted', 'returned', 'published', 'unpublished')),
    -- Increased by every change of the text, so that two tabs notice each other's changes.
    ADD COLUMN revision integer NOT NULL DEFAULT 0,
    ADD COLUMN created_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN changed_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN first_published_at timestamptz,
    -- The shop unpublished it: its teacher cannot publish it again without a review.
    ADD COLUMN is_taken_down boolean NOT NULL DEFAULT false,
    -- The upload that its cover came from: attaching it again changes nothing.
    ADD COLUMN cover_upload_id uuid`,
  sql`UPDATE documents SET
    state = CASE WHEN is_published THEN 'published' ELSE 'unpublished' END,
    created_at = uploaded_at, changed_at = uploaded_at, first_published_at = uploaded_at`,
  // The state implies it. Its indexes are dropped with the column.
  sql`ALTER TABLE documents DROP COLUMN is_published`,
  sql`ALTER TABLE documents
    ADD COLUMN is_published boolean NOT NULL GENERATED ALWAYS AS (state = 'published') STORED`,
  ...Object.entries(INDEXES).map(
    ([name, columns]) =>
      sql`CREATE INDEX ${sql.id(`documents_${name}`)} ON documents (${sql.raw(columns)})
        WHERE is_published`,
  ),
  // A draft may be empty.
  sql`ALTER TABLE documents
    ALTER COLUMN title SET DEFAULT '',
    ALTER COLUMN search_text SET DEFAULT '',
    ALTER COLUMN price DROP NOT NULL,
    ALTER COLUMN final_price DROP NOT NULL,
    ALTER COLUMN category_id DROP NOT NULL,
    ALTER COLUMN matiere_id DROP NOT NULL,
    ALTER COLUMN niveau_id DROP NOT NULL,
    ALTER COLUMN level DROP NOT NULL,
    ALTER COLUMN audience DROP NOT NULL,
    ALTER COLUMN file_id DROP NOT NULL,
    ADD CONSTRAINT documents_complete CHECK (
      (state IN ('draft', 'returned') AND first_published_at IS NULL)
      OR (title <> '' AND price IS NOT NULL AND category_id IS NOT NULL AND matiere_id IS NOT NULL
        AND niveau_id IS NOT NULL AND level IS NOT NULL AND audience IS NOT NULL
        AND file_id IS NOT NULL)
    ),
    ADD CONSTRAINT documents_first_published
      CHECK (state NOT IN ('published', 'unpublished') OR first_published_at IS NOT NULL)`,
  sql`CREATE INDEX documents_of_teacher ON documents (teacher_id, changed_at DESC, id DESC)`,
  sql`CREATE INDEX documents_waiting ON documents (changed_at) WHERE state = 'submitted'`,

  sql`CREATE TABLE document_versions (
    document_id integer NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    number integer NOT NULL CHECK (number > 0),
    -- null once nothing needs the file of an abandoned version.
    file_id integer REFERENCES files (id),
    -- The upload that it came from: attaching it again does not create a second version.
    upload_id uuid,
    note text NOT NULL DEFAULT '',
    state text NOT NULL CHECK
      (state IN ('draft', 'submitted', 'returned', 'accepted', 'replaced', 'withdrawn')),
    created_at timestamptz NOT NULL DEFAULT now(),
    created_by text NOT NULL,
    decided_at timestamptz,
    decided_by text,
    reason text,
    PRIMARY KEY (document_id, number)
  )`,
  sql`CREATE UNIQUE INDEX document_versions_open ON document_versions (document_id)
    WHERE state IN ('draft', 'submitted')`,
  sql`CREATE INDEX document_versions_file ON document_versions (file_id)`,
  sql`CREATE INDEX document_versions_waiting ON document_versions (created_at)
    WHERE state = 'submitted'`,
  sql`INSERT INTO document_versions
      (document_id, number, file_id, state, created_at, created_by, decided_at, decided_by)
    SELECT id, 1, file_id, 'accepted', uploaded_at, 'command line', uploaded_at, 'command line'
    FROM documents`,

  // No reference to the document: the history of a deleted draft is kept.
  sql`CREATE TABLE document_events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    document_id integer NOT NULL,
    made_at timestamptz NOT NULL DEFAULT now(),
    -- The actor: 'user 12', 'command line'.
    actor text NOT NULL,
    action text NOT NULL,
    version integer,
    reason text,
    field text
  )`,
  sql`CREATE INDEX document_events_document ON document_events (document_id, id)`,
  sql`CREATE INDEX document_events_submissions ON document_events (actor, made_at)
    WHERE action IN ('submit', 'submit version')`,
  sql`CREATE FUNCTION refuse_event_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% of document_events is refused: the history is only added to', TG_OP
        USING ERRCODE = 'integrity_constraint_violation';
    END $$`,
  sql`CREATE TRIGGER document_events_immutable BEFORE UPDATE OR DELETE ON document_events
    FOR EACH ROW EXECUTE FUNCTION refuse_event_change()`,
  sql`CREATE TRIGGER document_events_no_truncate BEFORE TRUNCATE ON document_events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_event_change()`,

  sql`CREATE TABLE uploads (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    purpose text NOT NULL CHECK (purpose IN ('document', 'cover')),
    name text NOT NULL,
    size bigint NOT NULL CHECK (size > 0),
    received bigint NOT NULL DEFAULT 0 CHECK (received BETWEEN 0 AND size),
    -- The length of each part, in their order.
    parts integer[] NOT NULL DEFAULT '{}',
    touched_at timestamptz NOT NULL DEFAULT now(),
    -- The key of the stored file: written before the file is stored, so that no clean-up deletes
    -- it.
    storage_key text,
    sha256 text,
    stored_size bigint,
    page_count integer,
    width integer,
    height integer,
    -- Set when all of the above is true.
    checked_at timestamptz
  )`,
  sql`CREATE INDEX uploads_user ON uploads (user_id, touched_at)`,
  sql`CREATE INDEX uploads_key ON uploads (storage_key)`,
  sql`CREATE INDEX files_key ON files (storage_key)`,
)

/** The name of a document in lists, so that a later list refers to the same one. */
const documentsImport = migration(
  sql`ALTER TABLE documents ADD COLUMN reference text NOT NULL DEFAULT gen_random_uuid()::text
    CHECK (reference <> '')`,
  sql`CREATE UNIQUE INDEX documents_reference ON documents (reference)`,
)

/** Lists of documents that teachers upload, with the files that they name. */
const imports = migration(
  sql`ALTER TABLE uploads
    DROP CONSTRAINT uploads_purpose_check,
    ADD CONSTRAINT uploads_purpose_check CHECK (purpose IN ('document', 'cover', 'portrait', 'import'))`,
  sql`CREATE TABLE imports (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    teacher_id integer NOT NULL REFERENCES teachers (id) ON DELETE CASCADE,
    name text NOT NULL,
    -- The ZIPs, until they are no longer needed; files in later ones replace those in earlier ones.
    storage_keys text[] NOT NULL,
    phase text NOT NULL CHECK (phase IN
      ('checking', 'refused', 'ready', 'importing', 'done', 'failed', 'given_up')),
    step text CHECK (step IN ('checking', 'storing', 'writing')),
    done integer NOT NULL DEFAULT 0,
    total integer NOT NULL DEFAULT 0,
    tries integer NOT NULL DEFAULT 0,
    problems jsonb NOT NULL DEFAULT '[]',
    problem_count integer NOT NULL DEFAULT 0,
    created integer NOT NULL DEFAULT 0,
    changed integer NOT NULL DEFAULT 0,
    unchanged integer NOT NULL DEFAULT 0,
    begun_at timestamptz NOT NULL DEFAULT now(),
    changed_at timestamptz NOT NULL DEFAULT now()
  )`,
  sql`CREATE INDEX imports_user ON imports (user_id, begun_at)`,
)

/**
 * The data of the first page of the administrators' office: who waits for an answer, and the upkeep
 * of the shop.
 */
const review = migration(
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
)

/** The results of checking the files of an uploaded list, so that none is opened twice. */
const checkedFiles = migration(
  sql`ALTER TABLE imports ADD COLUMN checked_files jsonb NOT NULL DEFAULT '{}'`,
)

/** Discounts that begin and end at set times, and changes of many documents at once. */
const bulkChanges = migration(
  sql`CREATE TABLE timed_discounts (
    document_id integer PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    price_discount bigint NOT NULL CHECK (price_discount > 0 AND price_discount % 10 = 0),
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL CHECK (ends_at > starts_at),
    -- Whether the document has this discount now; otherwise it has not begun.
    is_running boolean NOT NULL,
    -- The document's own discount, which is restored at the end.
    own_discount bigint
  )`,
  sql`CREATE INDEX timed_discounts_start ON timed_discounts (starts_at) WHERE NOT is_running`,
  sql`CREATE INDEX timed_discounts_end ON timed_discounts (ends_at)`,
  // Any code that writes another discount ends the running one, without having to know of it.
  sql`CREATE FUNCTION end_timed_discount() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM timed_discounts WHERE document_id = NEW.id AND is_running;
      RETURN NULL;
    END $$`,
  sql`CREATE TRIGGER documents_end_timed_discount AFTER UPDATE OF price_discount ON documents
    FOR EACH ROW WHEN (OLD.price_discount IS DISTINCT FROM NEW.price_discount)
    EXECUTE FUNCTION end_timed_discount()`,
  // The discount that applies now, also before the shop has noticed that a timed one has ended.
  sql`CREATE FUNCTION discount_now(sold documents) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN timed.document_id IS NULL THEN sold.price_discount ELSE timed.own_discount END
    FROM (SELECT) AS one LEFT JOIN timed_discounts timed
      ON timed.document_id = sold.id AND timed.is_running AND timed.ends_at <= now()
  $$`,
  sql`CREATE FUNCTION price_now(sold documents) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN discount > 0 AND discount < sold.price THEN discount ELSE sold.price END
    FROM (SELECT discount_now(sold) AS discount) AS applied
  $$`,

  sql`CREATE TABLE bulk_changes (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    change jsonb NOT NULL,
    -- The actor as in the log: 'command line', or 'user 12'.
    actor text NOT NULL,
    state text NOT NULL CHECK (state IN ('previewed', 'running', 'done')),
    previewed_at timestamptz NOT NULL,
    applied_at timestamptz,
    reason text,
    -- A change can be undone only once.
    undoes integer UNIQUE REFERENCES bulk_changes (id),
    CHECK ((state = 'previewed') = (applied_at IS NULL)),
    CHECK ((state = 'previewed') = (reason IS NULL))
  )`,
  sql`CREATE INDEX bulk_changes_running ON bulk_changes (id) WHERE state = 'running'`,
  sql`CREATE INDEX bulk_changes_previews ON bulk_changes (previewed_at) WHERE state = 'previewed'`,
  sql`CREATE TABLE bulk_changed_documents (
    bulk_change_id integer NOT NULL REFERENCES bulk_changes (id) ON DELETE CASCADE,
    document_id integer NOT NULL,
    -- The revision when it was previewed: a document that has changed since is skipped.
    revision integer NOT NULL,
    before jsonb NOT NULL,
    after jsonb,
    -- Why it cannot be changed.
    obstacle text,
    is_changed boolean NOT NULL DEFAULT false,
    PRIMARY KEY (bulk_change_id, document_id),
    CHECK ((after IS NULL) <= (obstacle IS NOT NULL)),
    CHECK (NOT is_changed OR obstacle IS NULL)
  )`,
  sql`CREATE INDEX bulk_changed_documents_open ON bulk_changed_documents
    (bulk_change_id, document_id) WHERE obstacle IS NULL AND NOT is_changed`,

  // A change of price, in the history that the teacher reads.
  sql`ALTER TABLE document_events ADD COLUMN amounts jsonb`,

  // For lists of all documents and ratings, whatever their state.
  sql`CREATE INDEX documents_changed ON documents (changed_at DESC, id DESC)`,
  sql`CREATE INDEX documents_all_prices ON documents (final_price, id)`,
  sql`CREATE INDEX documents_all_sales ON documents (sales_count DESC, id DESC)`,
)

/** The pages that everyone may look at: the teacher's choice, and the state of the sample. */
const samples = migration(
  // null: the first ones.
  sql`ALTER TABLE documents ADD COLUMN sample_pages integer[]
    CHECK (sample_pages IS NULL OR cardinality(sample_pages) > 0)`,
  sql`CREATE TABLE samples (
    document_id integer PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    -- When its pages are due to be read; null: they have been read.
    due_at timestamptz,
    tries integer NOT NULL DEFAULT 0,
    -- Identifies the content of its pictures, and is part of their addresses.
    key text,
    -- The number, size and text of each page; null: none can be shown.
    pages jsonb,
    is_drawn boolean NOT NULL DEFAULT false,
    -- Why its pages cannot be drawn, and since when.
    trouble text,
    failed_at timestamptz,
    CHECK ((trouble IS NULL) = (failed_at IS NULL)),
    CHECK ((key IS NULL) = (pages IS NULL))
  )`,
  sql`CREATE INDEX samples_due ON samples (due_at) WHERE due_at IS NOT NULL`,
  sql`CREATE INDEX samples_undrawn ON samples (document_id)
    WHERE NOT is_drawn AND due_at IS NULL AND pages IS NOT NULL`,
  sql`CREATE INDEX samples_failed ON samples (failed_at) WHERE failed_at IS NOT NULL`,
  // Code that publishes a document, or changes its file, need not know of its sample.
  sql`CREATE FUNCTION note_sample_due() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO samples (document_id, due_at) VALUES (NEW.id, now())
      ON CONFLICT (document_id) DO UPDATE SET due_at = now(), tries = 0;
      RETURN NULL;
    END $$`,
  sql`CREATE TRIGGER documents_sample_due
    AFTER INSERT OR UPDATE OF state, file_id, sample_pages ON documents
    FOR EACH ROW WHEN (NEW.state = 'published') EXECUTE FUNCTION note_sample_due()`,
  sql`INSERT INTO samples (document_id, due_at)
    SELECT id, now() FROM documents WHERE state = 'published'`,
)

const readings = migration(
  // What an owner has opened: kept after a refund, so that a second purchase continues at the same
  // page.
  sql`CREATE TABLE readings (
    user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    document_id integer NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    -- The newest version that was opened or downloaded; 0: none since the purchase.
    seen_version integer NOT NULL DEFAULT 0 CHECK (seen_version >= 0),
    -- Where the owner stopped, and when that page was shown.
    page integer CHECK (page > 0),
    read_at timestamptz,
    PRIMARY KEY (user_id, document_id),
    CHECK ((page IS NULL) = (read_at IS NULL))
  )`,
  sql`CREATE INDEX readings_document ON readings (document_id)`,
)

/**
 * The files that are delivered without a footer because they cannot be stamped, and the reasons.
 */
const stamps = migration(
  sql`CREATE TABLE unstamped_files (
    sha256 text PRIMARY KEY,
    reason text NOT NULL,
    detail text NOT NULL,
    noted_at timestamptz NOT NULL
  )`,
)

/** Accepted versions that are being announced to owners, in the order of the owners' ids. */
const versionMails = migration(
  sql`CREATE TABLE version_mailings (
    document_id integer PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    version integer NOT NULL,
    -- The mails to owners up to this id are queued.
    mailed_up_to integer NOT NULL DEFAULT 0
  )`,
)

const shelves = migration(
  sql`CREATE TABLE shelves (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name text NOT NULL CHECK (name <> ''),
    added_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (user_id, name)
  )`,
  // Kept after a refund: after a second purchase, the document has its former place.
  sql`CREATE TABLE shelf_documents (
    shelf_id integer NOT NULL REFERENCES shelves (id) ON DELETE CASCADE,
    document_id integer NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    PRIMARY KEY (shelf_id, document_id)
  )`,
  sql`CREATE INDEX shelf_documents_document ON shelf_documents (document_id)`,
)

/**
 * What is known of files that took more than a job may: they are not opened again for that task.
 * `part` is a page, or 0. Until now a busy machine could make a file count as too slow for its
 * footer: those are tried again.
 */
const fileFaults = migration(
  sql`CREATE TABLE file_faults (
    sha256 text NOT NULL,
    task text NOT NULL,
    part integer NOT NULL,
    reason text NOT NULL,
    noted_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (sha256, task, part)
  )`,
  sql`DELETE FROM unstamped_files WHERE reason = 'too_slow'`,
)

const UNSEEN =
  '[\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8]'
const DASHES = '[\\u2010-\\u2015\\u2043\\u2212\\u2e3a\\u2e3b\\ufe58\\ufe63\\uff0d]'

/**
 * Documents' references in the spelling in which lists are now read, so that the next list finds the
 * documents of the last one: without invisible marks, with `-` for every dash, Latin digits and
 * single spaces (NFKC). Where two documents would get one reference, the older one gets it.
 */
const plainReferences = migration(
  sql`
    WITH spelled AS (
      SELECT id, reference, btrim(regexp_replace(translate(regexp_replace(normalize(
        regexp_replace(reference, ${UNSEEN}, '', 'g'), NFKC), ${DASHES}, '-', 'g'),
        '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789'), '\s+', ' ', 'g')) AS plain
      FROM documents
    ), first AS (
      SELECT DISTINCT ON (plain) id, plain FROM spelled
      WHERE plain <> '' AND plain <> reference
        AND NOT EXISTS (SELECT FROM documents d WHERE d.reference = plain)
      ORDER BY plain, id
    )
    UPDATE documents SET reference = first.plain FROM first WHERE documents.id = first.id`,
)

/**
 * What a teacher is told about files that are accepted. The samples that were drawn or read wrongly
 * are made again: without a page that could not be drawn, with tall pages squeezed to 3600 pixels,
 * with ligatures read backwards (الله).
 */
const readFiles = migration(
  sql`ALTER TABLE uploads ADD COLUMN missing_fonts text[] NOT NULL DEFAULT '{}'`,
  sql`ALTER TABLE imports ADD COLUMN notes jsonb NOT NULL DEFAULT '[]'`,
  sql`UPDATE samples SET due_at = now(), tries = 0
    WHERE failed_at IS NOT NULL OR pages @> '[{"height": 3600}]' OR pages::text LIKE '%هللا%'`,
)

/** How many exercises a document has, for the facts of its page. */
const exerciseCount = migration(sql`ALTER TABLE documents
  ADD COLUMN exercise_count integer CHECK (exercise_count BETWEEN 1 AND 500)`)

/** What pages look like, to find copies at the review; existing files are signed in the background. */
const likeness = additive(
  '0064-likeness',
  sql`ALTER TABLE files ADD COLUMN likeness_due_at timestamptz DEFAULT now()`,
  sql`CREATE INDEX files_likeness_due ON files (id) WHERE likeness_due_at IS NOT NULL`,
  sql`CREATE TABLE page_signatures (
    file_id integer NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    page integer NOT NULL,
    has_words boolean NOT NULL,
    text bytea,
    picture bytea,
    bands integer[] NOT NULL,
    PRIMARY KEY (file_id, page)
  )`,
  sql`CREATE INDEX page_signatures_bands ON page_signatures USING gin (bands)`,
)

/** What people report about documents: one open case a document. */
const reports = additive(
  '0065-reports',
  sql`CREATE TABLE report_cases (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    document_id integer NOT NULL REFERENCES documents (id),
    opened_at timestamptz NOT NULL,
    answer text CHECK (length(answer) <= 1500),
    closed_at timestamptz,
    reply text CHECK (length(reply) <= 1500),
    is_kept boolean,
    CHECK ((closed_at IS NULL) = (reply IS NULL AND is_kept IS NULL))
  )`,
  sql`CREATE UNIQUE INDEX report_cases_open ON report_cases (document_id) WHERE closed_at IS NULL`,
  sql`CREATE INDEX report_cases_waiting ON report_cases (opened_at) WHERE closed_at IS NULL`,
  sql`CREATE INDEX report_cases_closed ON report_cases (closed_at)`,
  sql`CREATE TABLE reports (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    case_id integer NOT NULL REFERENCES report_cases (id),
    made_at timestamptz NOT NULL,
    reason text NOT NULL CHECK (reason IN ('copyright', 'wrong', 'offensive', 'personal')),
    words text NOT NULL CHECK (length(words) <= 1500),
    user_id integer REFERENCES users (id),
    email text,
    locale text NOT NULL CHECK (locale IN ('ar', 'fr', 'en'))
  )`,
  sql`CREATE INDEX reports_case ON reports (case_id, id)`,
  sql`CREATE INDEX reports_user ON reports (user_id) WHERE user_id IS NOT NULL`,
  sql`ALTER TABLE told_notices DROP CONSTRAINT told_notices_kind_check`,
  sql`ALTER TABLE told_notices ADD CONSTRAINT told_notices_kind_check CHECK (kind IN ('transfers',
    'documents', 'reports', 'conversations', 'mail', 'gateway', 'disk', 'backup'))`,
)

/** The texts of samples are read again: they had what their pages do not show. */
const shownTexts = additive(
  '0087-shown-texts',
  sql`UPDATE samples SET due_at = now(), tries = 0 WHERE due_at IS NULL`,
)

/**
 * New bands go into the index at once: every look-up would read all those that wait, a hundred of them
 * for one comparison.
 */
const likenessIndex = additive(
  '0084-likeness-index',
  sql`ALTER INDEX page_signatures_bands SET (fastupdate = off)`,
  sql`SELECT gin_clean_pending_list('page_signatures_bands')`,
)

/** Whether an uploaded PDF is signed, so that buyers get it without a stamp. */
const signedFiles = additive(
  '0088-signed-files',
  sql`ALTER TABLE uploads ADD COLUMN is_signed boolean NOT NULL DEFAULT false`,
)

export const documentsMigrations = {
  '0012-goods': goods,
  '0015-import': documentsImport,
  '0018-imports': imports,
  '0019-review': review,
  '0023-checked-files': checkedFiles,
  '0026-bulk-changes': bulkChanges,
  '0035-samples': samples,
  '0036-readings': readings,
  '0037-stamps': stamps,
  '0038-version-mails': versionMails,
  '0039-shelves': shelves,
  '0045-file-faults': fileFaults,
  '0047-plain-references': plainReferences,
  '0049-read-files': readFiles,
  '0056-exercise-count': exerciseCount,
  ...likeness,
  ...reports,
  ...shownTexts,
  ...likenessIndex,
  ...signedFiles,
}
