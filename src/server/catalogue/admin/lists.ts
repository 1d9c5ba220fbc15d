import { type Kysely, sql } from 'kysely'
import type { Entry, List, Lists } from '../../../contract/office-catalogue.ts'
import { textsIn } from '../../../i18n/texts.ts'
import {
  ENTRY_KINDS,
  type EntryKind,
  LISTS,
  type ListName,
} from '../../../rules/catalogue-lists.ts'
import { nameIn } from '../../../rules/catalogue-names.ts'
import { type InEachLanguage, LANGUAGES, type Language } from '../../../rules/languages.ts'
import { CATALOGUE_TAG } from '../../../rules/page-tags.ts'
import type { Level } from '../../../rules/price-bands.ts'
import type { Schema } from '../../database/schema.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import {
  changeSubject,
  describeDifferences,
  lastChanges,
  latestVersions,
} from '../../versions/versions.ts'
import { idsOf, SUBJECTS_OF_CLASS, type SubjectsOfClass } from '../names.ts'

/** The table of each list, and the column of documents that refers to its entries, by `key`. */
export const TABLES = {
  subjects: { table: 'matieres', column: 'matiere_id', key: 'id', texts: 'matieres' },
  classes: { table: 'niveaux', column: 'niveau_id', key: 'id', texts: 'niveaux' },
  categories: { table: 'categories', column: 'category_id', key: 'id', texts: 'categories' },
  kinds: { table: 'paper_kinds', column: 'paper_kind', key: 'code', texts: null },
  covers: { table: 'cover_mappings', column: 'cover_mapping_id', key: 'id', texts: null },
} as const satisfies Record<ListName, object>

export interface EntryRow {
  readonly id: number
  readonly name: string
  readonly names: InEachLanguage | null
  readonly isRetired: boolean
  readonly position: number
  /** Null or undefined for a cover. */
  readonly code?: string | null
  readonly level?: Level
  /** The names of a class's subjects by id; null where it has all. */
  readonly subjects?: SubjectsOfClass | null
  readonly color?: string | null
  readonly coverPath?: string | null
  readonly livrePath?: string | null
}

export const entrySubject = (list: ListName, id: number) =>
  `${ENTRY_KINDS[list]} ${id}` as `${EntryKind} ${number}`

export function namesOf(
  list: ListName,
  row: Pick<EntryRow, 'name' | 'names' | 'code'>,
): InEachLanguage {
  const { texts } = TABLES[list]
  const named = LANGUAGES.map((language): [Language, string] => {
    const table = texts === null ? {} : textsIn(language, `catalogue:${texts}`)
    return [language, nameIn(language, row, table)]
  })
  return Object.fromEntries(named) as InEachLanguage
}

/** The entries of a list in its order, including retired ones. */
export async function readEntries(db: Kysely<Schema>, list: ListName): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    SELECT entry.*${list === 'classes' ? sql`, ${SUBJECTS_OF_CLASS}` : sql``}
    FROM ${sql.table(TABLES[list].table)} AS entry ORDER BY position, id`.execute(db)
  return rows
}

interface Count {
  readonly id: number
  readonly documents: number
  readonly published: number
}

async function readCounts(db: Kysely<Schema>, list: ListName): Promise<Map<number, Count>> {
  const { table, column, key } = TABLES[list]
  const { rows } = await sql<Count>`
    SELECT entry.id, count(*)::integer AS documents,
      (count(*) FILTER (WHERE is_published))::integer AS published
    FROM documents JOIN ${sql.table(table)} AS entry
      ON ${sql.ref(`entry.${key}`)} = ${sql.ref(`documents.${column}`)}
    GROUP BY entry.id`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

export async function readLists(db: Kysely<Schema>): Promise<Lists> {
  const lists = await Promise.all(LISTS.map(async (list) => [list, await readList(db, list)]))
  return Object.fromEntries(lists)
}

async function readList(db: Kysely<Schema>, list: ListName): Promise<List> {
  const [rows, counts] = await Promise.all([readEntries(db, list), readCounts(db, list)])
  const order = `list ${list}`
  const versions = await latestVersions<string>(db, [
    order,
    ...rows.map(({ id }) => entrySubject(list, id)),
  ])
  const changes = await lastChanges(db, versions)
  const entries = rows.map((row): Entry => {
    const { documents = 0, published = 0 } = counts.get(row.id) ?? {}
    return {
      id: row.id,
      code: row.code ?? null,
      names: namesOf(list, row),
      isRetired: row.isRetired,
      level: row.level ?? null,
      subjectIds: row.subjects ? idsOf(row.subjects) : null,
      color: row.color ?? null,
      picture: row.coverPath ?? row.livrePath ?? null,
      documents,
      published,
      ...changes(entrySubject(list, row.id)),
    }
  })
  return { entries, ...changes(order) }
}

/** The content of a version of an order: ids, and the names at that time, one per line. */
export interface OrderState {
  readonly ids: readonly number[]
  readonly lines: string
}

/**
 * Orders the entries of a list; entries that are not in `ids` follow in their previous order.
 * Throws `done_before`, or `invalid_input` for an id that is not in the list.
 */
export function orderList(
  deps: Deps,
  { list, ids, ...by }: { list: ListName; ids: readonly number[]; revision: number; actor: string },
): Promise<void> {
  return changeSubject(deps, { subject: `list ${list}`, ...by }, async (tx) => {
    const before = await readOrder(tx, list)
    if (ids.some((id) => !before.ids.includes(id))) {
      throw fault('invalid_input', { fields: { ids: 'invalid' } })
    }
    const tags = await writeOrder(tx, list, ids)
    const value = await readOrder(tx, list)
    const reason = describeDifferences({ order: before.lines }, { order: value.lines })
    return reason === '' ? null : { value, before, reason, tags }
  })
}

async function readOrder(tx: Tx, list: ListName): Promise<OrderState> {
  const rows = await readEntries(tx, list)
  return {
    ids: rows.map(({ id }) => id),
    lines: rows.map((row) => namesOf(list, row).ar || `#${row.id}`).join('\n'),
  }
}

/** Writes an order, and returns the tags of the pages that show it. */
export async function writeOrder(
  tx: Tx,
  list: ListName,
  ids: readonly number[],
): Promise<string[]> {
  const rows = await readEntries(tx, list)
  const known = new Set(rows.map(({ id }) => id))
  const wanted = [...new Set(ids.filter((id) => known.has(id)))]
  const others = rows.flatMap(({ id }) => (wanted.includes(id) ? [] : id))
  await sql`
    UPDATE ${sql.table(TABLES[list].table)} AS entry SET position = ordered.at
    FROM unnest(${[...wanted, ...others]}::integer[]) WITH ORDINALITY AS ordered (id, at)
    WHERE entry.id = ordered.id`.execute(tx)
  return [CATALOGUE_TAG]
}
