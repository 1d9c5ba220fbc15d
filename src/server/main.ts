// `npm start`: reads the environment, listens, stops. Nothing imports it.
import { ConfigError, readConfig } from './config.ts'
import { StartError } from './database/start-error.ts'
import { startShop } from './shop.ts'

const say = console.log

try {
  const shop = await startShop(readConfig(process.env), say)
  say(`Karras is open at ${shop.url}`)
  for (const { email, password, role } of shop.demoAccounts) {
    say(`  demo account: ${email} / ${password} (${role})`)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(shop))
} catch (error) {
  const isExpected = error instanceof ConfigError || error instanceof StartError
  console.error(isExpected ? error.message : error)
  process.exit(1)
}

async function stop(shop: { stop(): Promise<void> }) {
  say('Stopping …')
  try {
    await shop.stop()
    process.exit(0)
  } catch (error) {
    console.error(error)
    process.exit(1)
  }
}
