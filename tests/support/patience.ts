import { spawnSync } from 'node:child_process'

/**
 * How long `vi.waitFor` looks for a condition: its own second is over on a busy machine before
 * anything is wrong.
 */
export const PATIENCE = { timeout: 60_000 }

/**
 * How many times slower than alone a process is just now: 1 on a quiet machine, 5 where four others
 * want the same processor. For the few tests that are about a time.
 */
export function slowness(): number {
  const work = `
    const since = performance.now()
    while (process.cpuUsage().user < 400_000);
    console.log((performance.now() - since) / 400)`
  const { stdout } = spawnSync(process.execPath, ['-e', work], { encoding: 'utf8' })
  return Math.max(1, Number(stdout))
}
