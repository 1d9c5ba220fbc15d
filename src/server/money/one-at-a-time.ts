import type { Database } from '../database/pool.ts'
import { sharedWork } from '../shared-work.ts'

/**
 * Runs the same work once at a time in this process: whoever asks for a name of a database while its
 * work is under way shares the result.
 */
export function oneAtATime<T>() {
  const ofDatabases = new WeakMap<Database, ReturnType<typeof sharedWork<T>>>()
  return (database: Database, name: string, work: () => Promise<T>): Promise<T> => {
    const once = ofDatabases.get(database) ?? sharedWork<T>()
    ofDatabases.set(database, once)
    return once(name, work)
  }
}
