/**
 * Sends 100 000 random and mutated STOMP frames to the chat server and measures how much its heap grows:
 * `node --expose-gc tests/bench/chat-frames.ts [frames] [seed]`.
 */

import { floodFrames } from '../support/chat-fuzz.ts'
import { aBackend } from './support/backend.ts'

const [frames = '100000', seed = '1'] = process.argv.slice(2)
const { deps, made, close } = await aBackend()
try {
  // Warms up: lazy compilation and caches are no leak.
  await floodFrames(deps, made, { frames: Number(frames) / 10, seed: Number(seed) + 1 })
  const before = heap()
  const startedAt = performance.now()
  const { sessions, answers, misdelivered, faults } = await floodFrames(deps, made, {
    frames: Number(frames),
    seed: Number(seed),
  })
  console.log({
    frames: Number(frames),
    seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    sessions,
    answers,
    misdelivered: misdelivered.length,
    faults,
    heapGrowthMB: Math.round((heap() - before) / 1e4) / 100,
  })
  process.exitCode = misdelivered.length + faults.length > 0 ? 1 : 0
} finally {
  await close()
}

/** Bytes of the heap in use after a garbage collection. */
function heap(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
