import { readdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'

// How a process of the shop, or of its command line, runs.

const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/karras', import.meta.url))

/**
 * Reuses the code that an earlier process compiled, which saves a start half of its processor time.
 * It stays usable when the directory of the shop is moved: an update tries the new version in one
 * place and starts it in another.
 */
export function keepCompiledCode(): void {
  enableCompileCache({ directory: COMPILED, portable: true })
}

// On Linux each thread has its own priority; other systems have one per process, or none.
const THREADS = '/proc/self/task'

/** Lowers the priority of all threads of this process, and of the threads that they start. */
export function lowerProcess(): void {
  setPriority(constants.priority.PRIORITY_LOW)
  try {
    for (const thread of readdirSync(THREADS)) lower(Number(thread))
  } catch {
    // Not Linux.
  }
}

function lower(thread: number): void {
  try {
    setPriority(thread, constants.priority.PRIORITY_LOW)
  } catch {
    // The thread has ended, or its priority may not be changed: it keeps its priority.
  }
}
