import type { Database } from '../database/pool.ts'

/**
 * Runs the same work once at a time in this process: whoever asks for a name of a database while its
 * work is under way shares the result.
 */
export function oneAtATime<T>() {
  const running = new WeakMap<Database, Map<string, Promise<T>>>()
  return (database: Database, name: string, work: () => Promise<T>): Promise<T> => {
    const named = running.get(database) ?? new Map<string, Promise<T>>()
    running.set(database, named)
    const shared = named.get(name) ?? work().finally(() => named.delete(name))
    named.set(name, shared)
    return shared
  }
}
