import { sql } from 'kysely'
import type { ListName } from '../../../rules/catalogue-lists.ts'
import { CATALOGUE_TAG } from '../../../rules/page-tags.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { changeSubject, describeDifferences } from '../../versions/versions.ts'
import { namesOf, readEntries, TABLES } from './lists.ts'

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
