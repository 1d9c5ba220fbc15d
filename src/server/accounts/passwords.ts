import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { passwordForm } from '../../rules/password-strength.ts'
import { createTurns } from '../concurrency/turns.ts'
import type { Passwords } from '../deps.ts'
import { fault } from '../http/errors.ts'

// Argon2id (the library's default algorithm) with the cost that OWASP recommends: 19 MiB, 2 passes,
// 1 lane.
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

// Each hash takes 19 MiB and one of libuv's four threads, which file access needs too.
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism()))

const BOUNDS = {
  // About 2 s of work: users do not wait longer.
  waiting: 100,
  // Where two run, one of them is always left to others. A school that logs in at once has one
  // address.
  ofOwner: { atOnce: Math.max(1, AT_ONCE - 1), waiting: 40 },
  refusal: () => fault('unavailable'),
}

/** Opens the queue in which passwords are hashed; a process has one. */
export function createPasswords(): Passwords {
  const turns = createTurns(AT_ONCE, BOUNDS)
  let made: Promise<string> | null = null

  /** A hash of the same cost that belongs to no account. */
  function spareHash(): Promise<string> {
    made ??= hash('nobody', COST)
    return made
  }

  return {
    refuseCrowd: turns.refuseCrowd,
    hash: (password, turn) => turns.take(() => hash(passwordForm(password), COST), turn),
    async isRight(password, kept, turn) {
      const spare = await spareHash()
      const form = passwordForm(password)
      // Older passwords were hashed as typed. The comparison depends on the typed password alone,
      // so that the time of a refusal says nothing about the account.
      const isSame = await turns.take(
        async () =>
          (await verify(kept ?? spare, form)) ||
          (form !== password && (await verify(kept ?? spare, password))),
        turn,
      )
      return isSame && kept !== null
    },
  }
}
