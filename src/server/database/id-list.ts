import { type RawBuilder, sql } from 'kysely'

/**
 * A list of ids for a statement that is run often. The planner cannot see its length, and so reuses
 * one plan for lists of any length: for a plain parameter, it would find a cheaper plan for a few
 * ids, and make it again at every call.
 */
export function idList(ids: readonly number[]): RawBuilder<number[]> {
  return sql`(SELECT ${[...ids]}::integer[])::integer[]`
}
