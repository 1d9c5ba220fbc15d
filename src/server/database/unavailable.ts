import pg from 'pg'
import { codeOf } from './start-error.ts'

/**
 * The database cannot answer now: it is unreachable, starting, stopping, full, or too busy. Whether
 * a commit that failed with this error took place is unknown. The API answers with 503.
 */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
  /** Whether what was asked for is certain not to have happened: only a commit may be cut unseen. */
  readonly wroteNothing: boolean

  constructor(cause: unknown, wroteNothing = false) {
    super(`the database is not available (${cause instanceof Error ? cause.message : cause})`, {
      cause,
    })
    this.wroteNothing = wroteNothing
  }
}

/**
 * A failure with what is known of it: whether something may have been written. Another error, and one
 * that says so already, is returned as it is.
 */
export function withWriting(error: unknown, mayHaveWritten: boolean): unknown {
  return error instanceof DatabaseUnavailable && error.wroteNothing === mayHaveWritten
    ? new DatabaseUnavailable(error.cause, !mayHaveWritten)
    : error
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const UNAVAILABLE_CLASSES = [
  '08', // the connection failed
  '53', // no disk, memory or connection left
  '58', // the system underneath failed
]
const UNAVAILABLE_CODES = [
  '25006', // it became a standby, which only reads
  '25P03', // the session was idle in a transaction and was ended
  '55P03', // lock_timeout
  '57014', // statement_timeout
  '57P01', // it is being stopped
  '57P02', // crashed
  '57P03', // still starting
]

/**
 * Whether an error of the server means that it cannot serve now, rather than that the query is
 * wrong.
 */
function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true
  const code = error instanceof pg.DatabaseError ? codeOf(error) : undefined
  if (!code) return false
  return UNAVAILABLE_CODES.includes(code) || UNAVAILABLE_CLASSES.includes(code.slice(0, 2))
}

/** Whether the server refused to write: another one has become the primary. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof pg.DatabaseError && codeOf(error) === '25006'
}

/** The error to throw for a failed query; `lost`: whether its connection is gone. */
export function classify(error: unknown, lost: boolean): unknown {
  if (error instanceof DatabaseUnavailable) return error
  return lost || isUnavailable(error) ? new DatabaseUnavailable(error) : error
}
