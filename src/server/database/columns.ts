import type { ColumnType } from 'kysely'
import pg from 'pg'

/** A moment that the database sets by default. */
export type Moment = ColumnType<Date, Date | string | undefined, Date | string>
export type OptionalMoment = ColumnType<
  Date | null,
  Date | string | null | undefined,
  Date | string | null
>
export type Json = ColumnType<unknown, string | null, string | null>

const INT8 = 20
const INT8_ARRAY = 1016
const NUMERIC = 1700

/**
 * How the columns of our connections are parsed: BIGINT (millimes, counts) and NUMERIC (the type of
 * a SUM over BIGINT) become numbers, or an error if a number would not be exact. Other types as in
 * `pg`.
 */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary') {
      if (oid === INT8) return readInteger
      if (oid === INT8_ARRAY) return readIntegers
      if (oid === NUMERIC) return readNumeric
    }
    return pg.types.getTypeParser(oid, format as 'text')
  }) as typeof pg.types.getTypeParser,
}

function readInteger(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) {
    throw new RangeError(`${text} is too large to be read exactly as a number`)
  }
  return number
}

function readIntegers(text: string): (number | null)[] {
  // `pg` parses the array but leaves its elements as text; its types do not cover arrays.
  const elements: (string | null)[] = pg.types.getTypeParser(INT8_ARRAY as number as 20)(text)
  return elements.map((element) => (element === null ? null : readInteger(element)))
}

function readNumeric(text: string): number {
  return /^-?\d+$/.test(text) ? readInteger(text) : Number(text)
}
