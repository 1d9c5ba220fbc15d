import { onTestFinished } from 'vitest'
import { startEmbedded } from '../../../src/server/database/embedded.ts'

// A cold start takes a second of CPU, and much else may run beside it.
export async function start(dataDir: string) {
  const server = await startEmbedded({ dataDir })
  onTestFinished(() => server.stop())
  return server
}
