import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { SECOND_MS } from '../../rules/limits.ts'
import type { Say } from '../backend.ts'
import type { Config } from '../config.ts'
import { prepareDataDirectory } from '../database/data-directory.ts'
import { isMigrated, migrate } from '../database/migrate.ts'
import { type Database, openDatabase } from '../database/pool.ts'
import { StartError } from '../database/start-error.ts'
import type { Deps } from '../deps.ts'
import { openMailer } from '../mail/open-mailer.ts'
import { openGateway } from '../payments/open-gateway.ts'
import { openAnnouncements } from '../publishing/announcements.ts'
import { readSecret } from '../secret.ts'
import { existing, reach, untilAlone } from './reach.ts'

/** The shop's parts for one command. */
export interface Office {
  readonly deps: Deps
  /** Sends what is to be sent, tells the pages, and closes all. */
  close(): Promise<void>
}

const MAIL_PATIENCE = 30 * SECOND_MS

/**
 * Opens what the commands work on, whether the shop runs or not: `DATABASE_URL`'s database, that of
 * the shop that runs on `DATA_DIR`, or, where none runs, the embedded one, started for the command.
 */
export async function openOffice(given: Config, say: Say): Promise<Office> {
  const opened: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const step of opened.splice(0).reverse()) await step()
  }
  try {
    const config = { ...given, dataDir: prepareDataDirectory(existing(given)) }
    const { connection, stop } = await reach(config)
    if (stop) opened.push(stop, () => untilAlone(connection))
    const database = openDatabase(connection, { size: 4 })
    opened.push(() => database.close())
    if (stop) await migrate(connection)
    else await refuseOtherVersion(database)
    const publisher = openAnnouncements({
      database,
      listener: deaf,
      file: join(config.dataDir, 'pages-heard.json'),
      log: say,
    })
    opened.push(() => publisher.close())
    const mailer = openMailer(config, say)
    opened.push(async () => {
      // A timer that holds the process: the mailer's own do not while a mail server is away.
      const sent = new AbortController()
      const patience = wait(MAIL_PATIENCE, undefined, sent).catch(() => {})
      await Promise.race([mailer.idle(), patience])
      sent.abort()
      await mailer.stop()
    })
    // Nothing here signs; the secret of a shop elsewhere need not be known.
    const secret = config.databaseUrl === null ? await readSecret(config) : randomBytes(32)
    const gateway = openGateway(config.payment, {
      database,
      siteUrl: config.siteUrl,
      now: Date.now,
    })
    const deps = {
      config,
      database,
      listener: deaf,
      publisher,
      mailer,
      gateway,
      report: say,
      secret,
      now: Date.now,
    }
    return { deps, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** A command does not wait for news. */
const deaf: Deps['listener'] = {
  onNotify: async () => () => {},
  onReconnect: () => () => {},
  close: async () => {},
}

async function refuseOtherVersion(database: Database): Promise<void> {
  if (await isMigrated(database)) return
  throw new StartError(
    'The database is not the one of this version of Karras; start the shop with this version first.',
  )
}
