import { type RawBuilder, sql } from 'kysely'

/**
 * A list of ids for a statement that is run often. The planner cannot look into it, and so keeps one plan for
 * lists of any length: given the list itself, it finds a plan for these few ids cheaper, at every call anew.
 */
export function idList(ids: readonly number[]): RawBuilder<number[]> {
  return sql`(SELECT ${[...ids]}::integer[])::integer[]`
}
