import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import pg from 'pg'
import { codeOf } from './start-error.ts'

/**
 * How many statements a connection keeps planned; PostgreSQL holds some 50 KB for each. A connection that
 * holds as many is replaced, which is simpler than to choose what it forgets.
 */
const MOST_A_CONNECTION = 250

/** How many texts are remembered; those that are seen again are named. */
const MOST_TEXTS = 2_000

/** What may be planned beforehand: the rest (BEGIN, SET, several statements in one text) gains nothing. */
const PLANNED = /^\s*(?:select|insert|update|delete|with)\b(?!.*;\s*\S)/is

const INVALID_NAME = '26000'
const NAME_TAKEN = '42P05'

/**
 * Whether a named statement failed before it ran: its plan is of tables that a migration has changed since,
 * or the server does not know what this connection had prepared. It may run again.
 */
export function isStalePlan(error: unknown): boolean {
  return isUnknownName(error) || routineOf(error) === 'RevalidateCachedQuery'
}

/** A pooler in between gives each transaction another connection, without what was prepared in the last. */
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
 * Names statements so that PostgreSQL parses and plans each of them once a connection. The name is a digest
 * of the text, so that it means the same on every connection.
 */
export function createStatements(log: (line: string) => void) {
  /** The name of a text; '' for one that was seen once, and may never come again. */
  const names = new LRUCache<string, string>({ max: MOST_TEXTS })
  const prepared = new WeakMap<pg.ClientBase, Prepared>()
  let generation = 0
  let isOff = false

  function nameOf(text: string): string {
    const known = names.get(text)
    if (known) return known
    const name = known === undefined || !PLANNED.test(text) ? '' : digest(text)
    names.set(text, name)
    return name
  }

  function preparedBy(client: pg.ClientBase): Prepared {
    const known = prepared.get(client)
    if (known) return known
    const made = { names: new Set<string>(), generation }
    prepared.set(client, made)
    return made
  }

  return {
    /** The name under which a connection runs a text; undefined: without one. */
    nameFor(client: pg.ClientBase, text: string): string | undefined {
      if (isOff) return undefined
      const name = nameOf(text)
      const own = preparedBy(client)
      if (!name || own.generation !== generation) return undefined
      if (own.names.has(name)) return name
      if (own.names.size >= MOST_A_CONNECTION) return undefined
      own.names.add(name)
      return name
    },
    /** After a stale plan: no connection that is open now uses names again, and each is soon replaced. */
    forget(error: unknown): void {
      generation += 1
      if (!isUnknownName(error) || isOff) return
      isOff = true
      log('the database does not keep prepared statements: each is planned at every call')
    },
    /** Whether a connection that is given back is to be replaced by one with room for names. */
    isWornOut(client: pg.ClientBase): boolean {
      const own = prepared.get(client)
      if (!own || isOff) return false
      return own.generation !== generation || own.names.size >= MOST_A_CONNECTION
    },
  }
}

interface Prepared {
  readonly names: Set<string>
  readonly generation: number
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 24)
}
