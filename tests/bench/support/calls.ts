import { Agent } from 'node:http'
import { send } from '../../chaos/visitors.ts'

type Call = Parameters<typeof send>[2]

/** A caller with a connection of its own, over which it sends one call after the other. */
export function openCaller() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    /** Resolves to the body; rejects unless the answer is below 300. */
    async call(url: string, call: Call = {}): Promise<Buffer> {
      const { status, bytes } = await send(agent, url, call)
      if (status < 200 || status >= 300) throw new Error(`${status} ${url}: ${bytes}`)
      return bytes
    },
    close: () => agent.destroy(),
  }
}

export type Caller = ReturnType<typeof openCaller>

/**
 * Makes so many calls, `atOnce` at a time, after `warmUp` others; returns the milliseconds of each.
 */
export async function timesOf(
  { calls, atOnce, warmUp = atOnce }: { calls: number; atOnce: number; warmUp?: number },
  makeCall: (at: number, caller: Caller) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = []
  let next = 0
  const work = async () => {
    const caller = openCaller()
    while (next < warmUp + calls) {
      const at = next++
      const startedAt = performance.now()
      await makeCall(at, caller)
      // Not counted: the first calls compile code, plan statements and fill caches.
      if (at >= warmUp) times.push(performance.now() - startedAt)
    }
    caller.close()
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return times
}
