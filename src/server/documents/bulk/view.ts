import { type Kysely, sql } from 'kysely'
import * as list from '../../../contract/office-all-documents.ts'
import type {
  BulkChangeView,
  ChangedRow,
  ListedBulkChange,
} from '../../../contract/office-bulk-changes.ts'
import * as bulk from '../../../contract/office-bulk-changes.ts'
import {
  type BulkChange,
  type BulkObstacle,
  type Goods,
  goodsPriceAt,
} from '../../../rules/bulk-change.ts'
import { DETAILS, type Details } from '../../../rules/document-fields.ts'
import { PAGE_SIZE_MAX } from '../../../rules/pager.ts'
import { teacherShare } from '../../../rules/shares.ts'
import type { Schema } from '../../database/schema.ts'
import { fullNameIn } from '../../database/sql-parts.ts'
import { fault } from '../../http/errors.ts'
import { pageOf, type Route, route } from '../../http/route.ts'
import { readSetting } from '../../money/money.ts'
import { actorNames } from '../../staff-log/staff-log.ts'
import {
  applyChange,
  type BulkChangeRow,
  previewChange,
  previewOwnFacts,
  undoChange,
} from './bulk-changes.ts'
import { findDocuments, readChoices, readForm } from './choose.ts'

/** How many documents of each kind a view names. */
const ROWS_SHOWN = 20

/** How many a teacher's own list shows, who picks from them. */
const OWN_ROWS_SHOWN = PAGE_SIZE_MAX

/** How many bulk changes the list holds. */
const CHANGES_SHOWN = 20

interface LineRow {
  documentId: number
  title: string | null
  teacherId: number | null
  teacherName: string | null
  before: Goods
  after: Goods | null
  obstacle: BulkObstacle | null
}

/**
 * A bulk change as `actor` sees it, who does not see the previews of others. Throws
 * `bulk_change_not_found`.
 */
async function viewChange(
  db: Kysely<Schema>,
  id: number,
  actor: string,
  shown = ROWS_SHOWN,
): Promise<BulkChangeView> {
  const bulk = await db
    .selectFrom('bulkChanges')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (!bulk || (bulk.state === 'previewed' && bulk.actor !== actor)) {
    throw fault('bulk_change_not_found')
  }
  const names = await actorNames(db, [bulk.actor])
  const changing = await readLines(db, id, true, shown)
  const kept = await readLines(db, id, false, shown)
  const percents = await readPercents(db, changing)
  return {
    ...presentForm(bulk.change),
    id,
    state: bulk.state,
    by: names.get(bulk.actor) ?? bulk.actor,
    at: (bulk.appliedAt ?? bulk.previewedAt).toISOString(),
    reason: bulk.reason,
    undoes: bulk.undoes,
    undoneBy: await undoneBy(db, id),
    ...(await countLines(db, id)),
    rows: changing.map((line) => presentChanged(line, bulk.change, percents)),
    keptRows: kept.map((line) => ({
      document: presentNamed(line),
      code: line.obstacle ?? 'changed_since',
    })),
  }
}

/** The shares of the documents' teachers, in percent. */
async function readPercents(db: Kysely<Schema>, lines: readonly LineRow[]) {
  const percents = new Map<number, number>()
  for (const teacherId of new Set(lines.flatMap((line) => line.teacherId ?? []))) {
    percents.set(teacherId, await readSetting(db, 'share_percent', teacherId))
  }
  return percents
}

async function readLines(
  db: Kysely<Schema>,
  id: number,
  isChanging: boolean,
  shown: number,
): Promise<LineRow[]> {
  const { rows } = await sql<LineRow>`
    SELECT line.document_id, line.before, line.after, line.obstacle, d.title, d.teacher_id,
      ${fullNameIn('t')} AS teacher_name
    FROM bulk_changed_documents line
    LEFT JOIN documents d ON d.id = line.document_id
    LEFT JOIN teachers t ON t.id = d.teacher_id
    WHERE line.bulk_change_id = ${id} AND (line.obstacle IS NULL) = ${isChanging}
    ORDER BY line.document_id LIMIT ${shown}`.execute(db)
  return rows
}

async function countLines(db: Kysely<Schema>, id: number) {
  const { rows } = await sql<{ code: BulkObstacle | null; isChanged: boolean; count: number }>`
    SELECT obstacle AS code, is_changed, count(*)::integer AS count FROM bulk_changed_documents
    WHERE bulk_change_id = ${id} GROUP BY 1, 2 ORDER BY 3 DESC, 1`.execute(db)
  const sum = (some: typeof rows) => some.reduce((all, { count }) => all + count, 0)
  return {
    chosen: sum(rows),
    changing: sum(rows.filter(({ code }) => code === null)),
    changed: sum(rows.filter(({ isChanged }) => isChanged)),
    kept: rows.flatMap(({ code, count }) => (code === null ? [] : [{ code, count }])),
  }
}

async function undoneBy(db: Kysely<Schema>, id: number): Promise<number | null> {
  const row = await db
    .selectFrom('bulkChanges')
    .select('id')
    .where('undoes', '=', id)
    .executeTakeFirst()
  return row?.id ?? null
}

function presentForm(change: BulkChange) {
  const isTimed = change.kind === 'discount'
  return {
    kind: change.kind,
    price: change.kind === 'price' ? change.price : null,
    percent: 'percent' in change ? change.percent : null,
    from: isTimed ? new Date(change.from).toISOString() : null,
    until: isTimed ? new Date(change.until).toISOString() : null,
  }
}

const presentNamed = ({ documentId, title, teacherName }: LineRow) => ({
  id: documentId,
  title: title ?? '',
  teacher: teacherName ?? '',
})

function presentChanged(
  line: LineRow,
  change: BulkChange,
  percents: ReadonlyMap<number, number>,
): ChangedRow {
  const percent = percents.get(line.teacherId ?? 0) ?? 0
  const sideOf = (goods: Goods) => {
    // A discount that has not begun is shown as it will be.
    const finalPrice =
      goods.price === null ? null : goodsPriceAt(goods, goods.timed?.from ?? momentOf(change))
    const earns = finalPrice === null ? null : teacherShare(finalPrice, percent)
    return { state: goods.state, price: goods.price, finalPrice, earns }
  }
  const { before, after } = line
  return {
    document: presentNamed(line),
    before: sideOf(before),
    after: sideOf(after ?? before),
    facts: after?.details ? addedDetails(before.details, after.details) : null,
  }
}

const addedDetails = (before: Partial<Details> = {}, after: Details) =>
  Object.fromEntries(
    DETAILS.map((name) => [name, after[name] === before[name] ? null : after[name]]),
  ) as Details

const momentOf = (change: BulkChange) => (change.kind === 'discount' ? change.from : 0)

/** The newest changes: of everybody, or of one actor. */
async function listChanges(db: Kysely<Schema>, actor?: string): Promise<ListedBulkChange[]> {
  const of = actor === undefined ? sql`true` : sql`c.actor = ${actor}`
  const { rows } = await sql<BulkChangeRow & { undoneBy: number | null; changed: number }>`
    SELECT c.*, undoing.id AS undone_by, (
      SELECT count(*)::integer FROM bulk_changed_documents
      WHERE bulk_change_id = c.id AND is_changed
    ) AS changed
    FROM bulk_changes c LEFT JOIN bulk_changes undoing ON undoing.undoes = c.id
    WHERE c.state <> 'previewed' AND ${of} ORDER BY c.id DESC LIMIT ${CHANGES_SHOWN}`.execute(db)
  const names = await actorNames(db, [...new Set(rows.map(({ actor }) => actor))])
  return rows.map((row) => ({
    ...presentForm(row.change),
    id: row.id,
    by: names.get(row.actor) ?? row.actor,
    at: (row.appliedAt ?? row.previewedAt).toISOString(),
    reason: row.reason ?? '',
    undoes: row.undoes,
    undoneBy: row.undoneBy,
    changed: row.changed,
    isDone: row.state === 'done',
  }))
}

/** Throws `bulk_change_not_found` unless the change is the actor's own. */
async function requireOwn(db: Kysely<Schema>, id: number, actor: string): Promise<void> {
  const own = await db
    .selectFrom('bulkChanges')
    .select('id')
    .where('id', '=', id)
    .where('actor', '=', actor)
    .executeTakeFirst()
  if (!own) throw fault('bulk_change_not_found')
}

/** How many rows a page of the list shows. */
const PAGE_SIZE = 20

/** The calls by which administrators change many documents of all teachers at once, and teachers their own. */
export const bulkChangeRoutes: Route[] = [
  route(list.listAllDocuments, async ({ input: { query }, deps }) => {
    const { page = 0, size = PAGE_SIZE, sort = '-changed', ...filters } = query
    const filter = { ...filters, sort, page, size }
    const { documents, total } = await findDocuments(deps.database.kysely, filter)
    return pageOf(documents, { total, page, size })
  }),
  route(list.getDocumentChoices, ({ deps }) => readChoices(deps.database.kysely)),

  route(bulk.previewBulkChange, async ({ input: { body }, user, deps }) => {
    const actor = user.actor
    const change = readForm(body.change, deps.now())
    const id = await previewChange(deps, { actor, change, chosen: body.chosen })
    return viewChange(deps.database.kysely, id, actor)
  }),
  route(bulk.previewOwnFacts, async ({ input: { body }, user, deps }) => {
    const { actor } = user
    const id = await previewOwnFacts(deps, user, body.ids)
    return viewChange(deps.database.kysely, id, actor, OWN_ROWS_SHOWN)
  }),
  route(bulk.listOwnFactChanges, ({ user, deps }) => listChanges(deps.database.kysely, user.actor)),
  // A teacher gives no reason: the documents are the teacher's own.
  route(bulk.applyOwnFacts, async ({ input: { params }, user, deps }) => {
    const { actor } = user
    await applyChange(deps, params.id, { actor, reason: '' })
    return viewChange(deps.database.kysely, params.id, actor)
  }),
  route(bulk.undoOwnFacts, async ({ input: { params }, user, deps }) => {
    const { actor } = user
    await requireOwn(deps.database.kysely, params.id, actor)
    const id = await undoChange(deps, params.id, { actor, reason: '' })
    return viewChange(deps.database.kysely, id, actor)
  }),
  route(bulk.listBulkChanges, ({ deps }) => listChanges(deps.database.kysely)),
  route(bulk.getBulkChange, ({ input: { params }, user, deps }) =>
    viewChange(deps.database.kysely, params.id, user.actor),
  ),
  route(bulk.applyBulkChange, async ({ input: { params, body }, user, deps }) => {
    const actor = user.actor
    await applyChange(deps, params.id, { actor, reason: body.reason })
    return viewChange(deps.database.kysely, params.id, actor)
  }),
  route(bulk.undoBulkChange, async ({ input: { params, body }, user, deps }) => {
    const actor = user.actor
    const id = await undoChange(deps, params.id, { actor, reason: body.reason })
    return viewChange(deps.database.kysely, id, actor)
  }),
]
