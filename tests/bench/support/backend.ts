import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBackend } from '../../../src/server/backend.ts'
import { readConfig } from '../../../src/server/config/config.ts'
import { factories } from '../../support/factories.ts'
import { median } from '../../support/quantiles.ts'

/** An empty backend in a temporary directory, for scripts that measure within their own process. */
export async function aBackend() {
  const dataDir = await mkdtemp(join(tmpdir(), 'karras-bench-'))
  const config = readConfig({ DATA_DIR: dataDir, PORT: '0', DEMO: '0', CHAT_MAIL: '0' })
  const backend = await openBackend(config, () => {})
  const { deps } = backend
  return {
    deps,
    made: factories({ ...deps, dataDir }),
    async close() {
      await backend.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Prints how long a read takes: the median of so many runs, and their bounds. */
export async function printTimes(name: string, runs: number, read: () => Promise<unknown>) {
  const times: number[] = []
  for (let n = 0; n < runs; n++) {
    const startedAt = performance.now()
    await read()
    times.push(performance.now() - startedAt)
  }
  const [least, middle, most] = [Math.min(...times), median(times), Math.max(...times)]
  console.log(`${name}: ${middle.toFixed(0)} ms (${least.toFixed(0)} to ${most.toFixed(0)})`)
}
