import { sharedWork } from '../concurrency/shared-work.ts'
import type { Database } from '../database/pool.ts'

/** Runs only one work of a name at a time in this process, for each database; calls during a run share its result. */
export function oneAtATime<T>() {
  const ofDatabases = new WeakMap<Database, ReturnType<typeof sharedWork<T>>>()
  return (database: Database, name: string, work: () => Promise<T>): Promise<T> => {
    const once = ofDatabases.get(database) ?? sharedWork<T>()
    ofDatabases.set(database, once)
    return once(name, work)
  }
}
