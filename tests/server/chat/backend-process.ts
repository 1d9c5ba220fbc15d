/**
 * A shop without its pages in a process of its own: the backend of `npm start` on `DATA_DIR`, for
 * tests that run several processes. Prints its address, and each tag that its pages would receive
 * as `tag <tag>`. SIGTERM stops it gracefully.
 */

import { buildApp, openBackend } from '../../../src/server/backend.ts'
import { readConfig } from '../../../src/server/config/config.ts'

const stopRequested = Promise.withResolvers<void>()
process.on('SIGTERM', () => stopRequested.resolve())

const print = (line: string) => console.log(line)
const backend = await openBackend(readConfig(process.env), print)
const app = await buildApp(backend.deps)
const printTags = (tags: readonly string[]) => {
  for (const tag of tags) print(`tag ${tag}`)
}
await backend.publishTo({
  changed: printTags,
  changedSoon: printTags,
  everythingChanged: async () => {},
})
await backend.startWork()
print(`Karras is open at ${await app.listen()}`)
await stopRequested.promise
await app.stop()
await backend.close()
