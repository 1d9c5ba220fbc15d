import type { ColumnType } from 'kysely'

/** A moment that the database sets by default. */
export type Moment = ColumnType<Date, Date | string | undefined, Date | string>
export type OptionalMoment = ColumnType<
  Date | null,
  Date | string | null | undefined,
  Date | string | null
>
export type Json = ColumnType<unknown, string | null, string | null>
