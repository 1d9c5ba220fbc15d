/**
 * A shop without its pages in a process of its own: the backend of `npm start` on `DATA_DIR`, for
 * tests that run several processes. Prints its address, and each tag that its pages would receive
 * as `tag <tag>`. SIGTERM stops it gracefully.
 */

import { buildApp, openBackend } from '../../src/server/backend.ts'
import { readConfig } from '../../src/server/config.ts'

const stopRequested = Promise.withResolvers<void>()
process.on('SIGTERM', () => stopRequested.resolve())

const say = (line: string) => console.log(line)
const backend = await openBackend(readConfig(process.env), say)
const app = await buildApp(backend.deps)
const tell = (tags: readonly string[]) => {
  for (const tag of tags) say(`tag ${tag}`)
}
await backend.publishTo({ changed: tell, changedSoon: tell, everythingChanged: async () => {} })
await backend.startWork()
say(`Karras is open at ${await app.listen()}`)
await stopRequested.promise
await app.stop()
await backend.close()
