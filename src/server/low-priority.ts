import { readdirSync, readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

// Linux keeps a priority for each thread; elsewhere that of the process, or none, is all there is.
const THREADS = '/proc/self/task'
const THIS_THREAD = '/proc/thread-self'

/** Lets everything else on the machine go first: all threads of this process, and those they start. */
export function lowerProcess(): void {
  setPriority(constants.priority.PRIORITY_LOW)
  try {
    for (const thread of readdirSync(THREADS)) lower(Number(thread))
  } catch {
    // No Linux.
  }
}

/** The same for the thread that calls alone. */
export function lowerThread(): void {
  try {
    // Such as 1234/task/1240.
    lower(Number(readlinkSync(THIS_THREAD).split('/').at(-1)))
  } catch {
    // No Linux.
  }
}

function lower(thread: number): void {
  try {
    setPriority(thread, constants.priority.PRIORITY_LOW)
  } catch {
    // It has ended meanwhile, or may not: then it goes on as it was.
  }
}
