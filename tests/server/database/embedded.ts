import { onTestFinished } from 'vitest'
import { startEmbedded } from '../../../src/server/database/embedded.ts'

// A cold start is a second of work, and much else may be running beside it.
export async function start(dataDir: string) {
  const server = await startEmbedded({ dataDir })
  onTestFinished(() => server.stop())
  return server
}
