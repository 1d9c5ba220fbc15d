import pg from 'pg'
import { codeOf } from './start-error.ts'

/**
 * The database cannot answer now: away, starting, stopping, full, or too busy. Whether a commit
 * that failed with it took place is unknown. Answered with 503.
 */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'

  constructor(cause: unknown) {
    super(`the database is not available (${cause instanceof Error ? cause.message : cause})`, {
      cause,
    })
  }
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const UNAVAILABLE_CLASSES = [
  '08', // the connection failed
  '53', // no disk, memory or connection left
  '58', // the system under it failed
]
const UNAVAILABLE_CODES = [
  '25P03', // the session sat idle in a transaction and was ended
  '55P03', // lock_timeout
  '57014', // statement_timeout
  '57P01', // being stopped
  '57P02', // crashed
  '57P03', // still starting
]

/** Whether an answer of the server means that it cannot serve now, rather than that we asked wrongly. */
function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true
  const code = error instanceof pg.DatabaseError ? codeOf(error) : undefined
  if (!code) return false
  return UNAVAILABLE_CODES.includes(code) || UNAVAILABLE_CLASSES.includes(code.slice(0, 2))
}

/** The error to throw for a failed query: `lost` says that its connection is gone. */
export function classify(error: unknown, lost: boolean): unknown {
  if (error instanceof DatabaseUnavailable) return error
  return lost || isUnavailable(error) ? new DatabaseUnavailable(error) : error
}
