import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { fault } from '../http/errors.ts'
import { createTurns } from '../turns.ts'

// Argon2id (the library's own choice of algorithm) as OWASP asks: 19 MiB, 2 passes, 1 lane.
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

// Each hash takes 19 MiB and one of libuv's four threads, which files need too.
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism()))

// About 2 s of work: whoever waits longer has gone.
const turns = createTurns(AT_ONCE, { waiting: 100, refusal: () => fault('unavailable') })

/** A new password as it is kept. Throws `unavailable` when too many wait for theirs. */
export function hashPassword(password: string): Promise<string> {
  return turns.take(() => hash(password, COST))
}

/** Whether it is the password; `kept` null, nobody's, takes as long and is false. */
export async function isPassword(password: string, kept: string | null): Promise<boolean> {
  const spare = await nobodys()
  const isSame = await turns.take(() => verify(kept ?? spare, password))
  return isSame && kept !== null
}

let made: Promise<string> | null = null

/** A hash with the same cost that no account has. */
function nobodys(): Promise<string> {
  made ??= hash('nobody', COST)
  return made
}
