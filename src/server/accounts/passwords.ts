import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { fault } from '../http/errors.ts'

// Argon2id (the library's own choice of algorithm) as OWASP asks: 19 MiB, 2 passes, 1 lane.
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

// Each hash takes 19 MiB and one of libuv's four threads, which files need too.
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism()))

// About 2 s of work: whoever waits longer has gone.
const WAITING_AT_MOST = 100

/** A new password as it is kept. Throws `unavailable` when too many wait for theirs. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, COST))
}

/** Whether it is the password; `kept` null, nobody's, takes as long and is false. */
export async function isPassword(password: string, kept: string | null): Promise<boolean> {
  const spare = await nobodys()
  const isSame = await inTurn(() => verify(kept ?? spare, password))
  return isSame && kept !== null
}

let made: Promise<string> | null = null

/** A hash with the same cost that no account has. */
function nobodys(): Promise<string> {
  made ??= hash('nobody', COST)
  return made
}

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (waiting.length >= WAITING_AT_MOST) throw fault('unavailable')
    // Whoever finishes passes its place on, so `running` stays as it is.
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else {
    running++
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}
