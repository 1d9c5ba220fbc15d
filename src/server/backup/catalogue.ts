import { type QueryExecutorProvider, sql } from 'kysely'
import type { SequenceOf, TableOf } from './format.ts'

/** The tables of the migrator, which are filled when the schema is created. */
const MIGRATOR = ['kysely_migration', 'kysely_migration_lock']

// Tables of extensions belong to the extensions.
const NOT_OF_EXTENSIONS = sql`NOT EXISTS (
  SELECT FROM pg_depend d
  WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'
)`

/**
 * All tables of the shop, by name, as the database lists them, with the columns that a backup
 * contains. It leaves out columns that PostgreSQL computes, and transaction numbers (`xid8`), which
 * are meaningless on another server: there, the default sets those of the restore.
 */
export async function tablesOf(db: QueryExecutorProvider): Promise<TableOf[]> {
  const { rows } = await sql<TableOf>`
    SELECT c.relname AS name,
      coalesce(array_agg(a.attname::text ORDER BY a.attnum) FILTER (
        WHERE a.attgenerated = '' AND NOT (a.atttypid = 'xid8'::regtype AND a.atthasdef)
      ), '{}') AS columns
    FROM pg_class c
    LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
      AND c.relname <> ALL (${MIGRATOR}) AND ${NOT_OF_EXTENSIONS}
    GROUP BY c.relname ORDER BY c.relname`.execute(db)
  return rows
}

/** The values of all sequences, which may be ahead of a snapshot's rows, never behind. */
export async function sequencesOf(db: QueryExecutorProvider): Promise<SequenceOf[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'S'
      AND ${NOT_OF_EXTENSIONS}
    ORDER BY c.relname`.execute(db)
  const sequences: SequenceOf[] = []
  for (const { name } of rows) {
    const { rows: stands } = await sql<Omit<SequenceOf, 'name'>>`
      SELECT last_value::text AS "lastValue", is_called AS "isCalled" FROM ${sql.id(name)}`.execute(
      db,
    )
    for (const stand of stands) sequences.push({ name, ...stand })
  }
  return sequences
}

/** The part of a `COPY` statement that names a table and its columns. */
export function copied({ name, columns }: TableOf): string {
  return `${quoted(name)} (${columns.map(quoted).join(', ')})`
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/**
 * Removes from the tables everything that checks or changes single rows, since rows are restored in
 * any order: foreign keys, and our triggers (sums of ratings, checks of the ledger). Returns the
 * function that restores all of it, and thereby checks every foreign key over the whole tables. The
 * owner of the tables may do this, whereas `session_replication_role` needs a superuser.
 */
export async function suspendRules(
  db: QueryExecutorProvider,
  tables: readonly TableOf[],
): Promise<() => Promise<void>> {
  const { rows: keys } = await sql<{ table: string; name: string; definition: string }>`
    SELECT c.relname AS "table", k.conname AS name, pg_get_constraintdef(k.oid) AS definition
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
    WHERE k.contype = 'f' AND k.conparentid = 0 AND c.relnamespace = current_schema()::regnamespace
    ORDER BY c.relname, k.conname`.execute(db)
  const { rows: triggers } = await sql<{ table: string; name: string; how: string }>`
    SELECT c.relname AS "table", t.tgname AS name,
      CASE t.tgenabled WHEN 'O' THEN 'ENABLE' WHEN 'A' THEN 'ENABLE ALWAYS'
        WHEN 'R' THEN 'ENABLE REPLICA' END AS how
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE NOT t.tgisinternal AND t.tgenabled <> 'D'
      AND c.relnamespace = current_schema()::regnamespace
    ORDER BY c.relname, t.tgname`.execute(db)

  for (const { table, name } of keys) await alter(db, table, `DROP CONSTRAINT ${quoted(name)}`)
  for (const { name } of tables) await alter(db, name, 'DISABLE TRIGGER USER')

  return async () => {
    for (const { table, name, how } of triggers) {
      await alter(db, table, `${how} TRIGGER ${quoted(name)}`)
    }
    for (const { table, name, definition } of keys) {
      await alter(db, table, `ADD CONSTRAINT ${quoted(name)} ${definition}`)
    }
  }
}

async function alter(db: QueryExecutorProvider, table: string, what: string): Promise<void> {
  await sql`ALTER TABLE ${sql.id(table)} ${sql.raw(what)}`.execute(db)
}
