import type { Database } from '../database/pool.ts'
import { sharedWork } from '../shared-work.ts'

/**
 * Runs work of one name once at a time in this process, for each database: callers who come while it
 * runs share its result.
 */
export function oneAtATime<T>() {
  const ofDatabases = new WeakMap<Database, ReturnType<typeof sharedWork<T>>>()
  return (database: Database, name: string, work: () => Promise<T>): Promise<T> => {
    const once = ofDatabases.get(database) ?? sharedWork<T>()
    ofDatabases.set(database, once)
    return once(name, work)
  }
}
