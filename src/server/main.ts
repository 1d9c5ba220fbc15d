// `npm start`: reads the environment, listens, stops. Nothing imports it.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { ConfigError, readConfig } from './config.ts'
import { StartError } from './database/start-error.ts'
import { environment } from './environment.ts'
import type { Shop } from './shop.ts'
import { printableText } from './terminal.ts'

// Before anything else: a stop requested while the shop still opens takes effect once it is open.
const stopRequested = Promise.withResolvers<void>()
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => stopRequested.resolve())

// A later start takes what an earlier one has compiled: half a second of the processor less.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/karras', import.meta.url)))

try {
  const config = readConfig(environment)
  // What is wrong with the environment is said before the shop is loaded.
  const { startShop } = await import('./shop.ts')
  const shop = await startShop(config, (line) => console.log(printableText(line)))
  console.log(welcome(shop))
  await stopRequested.promise
  console.log('Stopping …')
  await shop.stop()
  process.exit(0)
} catch (error) {
  const isExpected = error instanceof ConfigError || error instanceof StartError
  console.error(printableText(isExpected ? error.message : inspect(error)))
  process.exit(1)
}

function welcome({ url, demoAccounts }: Shop): string {
  const accounts = demoAccounts.map(
    ({ email, password, role }) => `  demo account: ${email} / ${password} (${role})`,
  )
  return [...accounts, `Karras is open at ${url}`].join('\n')
}
