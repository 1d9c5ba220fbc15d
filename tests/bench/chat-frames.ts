/**
 * 100 000 random and mutated STOMP frames against the chat server, with the growth of the heap:
 * `node --expose-gc tests/bench/chat-frames.ts [frames] [seed]`.
 */
import { aBackend } from '../support/bench.ts'
import { floodFrames } from '../support/chat-fuzz.ts'

const [frames = '100000', seed = '1'] = process.argv.slice(2)
const { deps, made, close } = await aBackend()
try {
  // What is compiled and cached at first is no growth.
  await floodFrames(deps, made, { frames: Number(frames) / 10, seed: Number(seed) + 1 })
  const before = heap()
  const startedAt = performance.now()
  const { sessions, answers, strays, faults } = await floodFrames(deps, made, {
    frames: Number(frames),
    seed: Number(seed),
  })
  console.log({
    frames: Number(frames),
    seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    sessions,
    answers,
    strays: strays.length,
    faults,
    heapGrowthMB: Math.round((heap() - before) / 1e4) / 100,
  })
  process.exitCode = strays.length + faults.length > 0 ? 1 : 0
} finally {
  await close()
}

/** Bytes in use after collecting what is not. */
function heap(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
