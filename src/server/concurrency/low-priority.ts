import { readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

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
