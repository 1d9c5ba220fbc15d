// `npm start`: reads the environment, starts the shop, stops it on a signal. Nothing imports this
// file.
import { inspect } from 'node:util'
import { ConfigError, readConfig } from './config/config.ts'
import { environment } from './config/environment.ts'
import { StartError } from './database/start-error.ts'
import { keepCompiledCode } from './process.ts'
import type { Shop } from './shop.ts'
import { logLine, printableText, type Say } from './terminal.ts'

// Registered first: a stop requested while the shop still opens takes effect once it is open.
const stopRequested = Promise.withResolvers<void>()
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => stopRequested.resolve())

keepCompiledCode()

try {
  const config = readConfig(environment)
  // Reports errors in the environment before loading the shop.
  const { startShop } = await import('./shop.ts')
  // A real shop's log is read by programs, that of any other by a person.
  const say: Say = (line, level) =>
    console.log(config.production ? logLine(line, level) : printableText(line))
  const shop = await startShop(config, say)
  say(welcome(shop))
  await stopRequested.promise
  say('Stopping …')
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
