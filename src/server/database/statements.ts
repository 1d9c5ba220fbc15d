import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import pg from 'pg'
import { codeOf } from './start-error.ts'

/**
 * How many statements a connection keeps planned; PostgreSQL holds some 50 KB for each. A
 * connection that has reached this number is replaced, which is simpler than choosing which ones to
 * deallocate.
 */
const MOST_A_CONNECTION = 250

/** How many texts are remembered; a text that is seen again gets a name. */
const MOST_TEXTS = 2_000

/**
 * The statements worth planning in advance: others (BEGIN, SET, several statements in one text)
 * gain nothing.
 */
const PLANNED = /^\s*(?:select|insert|update|delete|with)\b[^;]*(?:;\s*)?$/i

const INVALID_NAME = '26000'
const NAME_TAKEN = '42P05'

/**
 * Whether a named statement failed before it ran: a migration has changed its tables since it was
 * planned, or the server does not know the statements that this connection prepared. It may run
 * again.
 */
export function isStalePlan(error: unknown): boolean {
  return isUnknownName(error) || routineOf(error) === 'RevalidateCachedQuery'
}

/**
 * A pooler in between gives each transaction another connection, without the statements of the last
 * one.
 */
function isUnknownName(error: unknown): boolean {
  const code = codeOf(error)
  return code === INVALID_NAME || code === NAME_TAKEN
}

function routineOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.routine : undefined
}

/** The statements of a pool, and which of them its connections keep planned. */
export type Statements = ReturnType<typeof createStatements>

/**
 * Names statements so that PostgreSQL parses and plans each of them once per connection. The name
 * is a digest of the text, so that it means the same on every connection.
 */
export function createStatements(log: (line: string) => void) {
  /** The name of a text; '' after its first use, which may be the only one. */
  const names = new LRUCache<string, string>({ max: MOST_TEXTS })
  let generation = 0
  let isOff = false

  function nameOf(text: string): string {
    const known = names.get(text)
    if (known) return known
    const name = known === undefined || !PLANNED.test(text) ? '' : digest(text)
    names.set(text, name)
    return name
  }

  return {
    /** The names that a new connection prepares. */
    openConnection() {
      const prepared = new Set<string>()
      const openedIn = generation
      return {
        /** The name under which it runs a text; undefined: without a name. */
        nameFor(text: string): string | undefined {
          if (isOff) return undefined
          const name = nameOf(text)
          if (!name || openedIn !== generation) return undefined
          if (prepared.has(name)) return name
          if (prepared.size >= MOST_A_CONNECTION) return undefined
          prepared.add(name)
          return name
        },
        /** Whether it should be replaced by one with room for names. */
        isWornOut(): boolean {
          return !isOff && (openedIn !== generation || prepared.size >= MOST_A_CONNECTION)
        },
      }
    },
    /**
     * Call it after a stale plan: all open connections stop using names, and each is soon replaced.
     */
    forget(error: unknown): void {
      generation += 1
      if (!isUnknownName(error) || isOff) return
      isOff = true
      log('the database does not keep prepared statements: each is planned at every call')
    },
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 24)
}
