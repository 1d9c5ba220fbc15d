import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBackend } from '../../../src/server/backend.ts'
import { readConfig } from '../../../src/server/config/config.ts'
import { factories } from '../../support/factories.ts'

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
