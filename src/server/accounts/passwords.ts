import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createTurns } from '../concurrency/turns.ts'
import { fault } from '../http/errors.ts'

// Argon2id (the library's default algorithm) with the cost that OWASP recommends: 19 MiB, 2 passes,
// 1 lane.
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

// Each hash takes 19 MiB and one of libuv's four threads, which file access needs too.
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism()))

// About 2 s of work: users do not wait longer.
const turns = createTurns(AT_ONCE, { waiting: 100, refusal: () => fault('unavailable') })

/** The hash of a new password. Throws `unavailable` if too many are waiting. */
export function hashPassword(password: string): Promise<string> {
  return turns.take(() => hash(password, COST))
}

/**
 * Whether a password matches a hash. Without a hash (null) this takes as long and returns false.
 */
export async function isPassword(password: string, kept: string | null): Promise<boolean> {
  const spare = await spareHash()
  const isSame = await turns.take(() => verify(kept ?? spare, password))
  return isSame && kept !== null
}

let made: Promise<string> | null = null

/** A hash of the same cost that belongs to no account. */
function spareHash(): Promise<string> {
  made ??= hash('nobody', COST)
  return made
}
