/**
 * One instance of the shop's backend on `DATABASE_URL`, in a process of its own that can be killed,
 * for chat tests over several instances: without rate limits. Prints its URL.
 */
import { MINUTE_MS } from '../../src/rules/durations.ts'
import { buildApp, openBackend } from '../../src/server/backend.ts'
import { readConfig } from '../../src/server/config/config.ts'
import { ALLOWANCES } from '../../src/server/http/rate-limits.ts'

const stopRequested = Promise.withResolvers<void>()
process.on('SIGTERM', () => stopRequested.resolve())

const print = (line: string) => console.log(line)
const backend = await openBackend(readConfig(process.env), print)
const app = await buildApp(backend.deps, {
  allowances: { ...ALLOWANCES, chatMessagesOfUser: { max: 1_000_000, windowMs: MINUTE_MS } },
  overloadDelay: 0,
})
print(`Karras is open at ${await app.listen()}`)
if (process.env.REPORT_MEMORY) {
  setInterval(
    () => print(`memory ${process.memoryUsage().rss} ${app.sockets.count()}`),
    500,
  ).unref()
}
await stopRequested.promise
await app.stop()
await backend.close()
