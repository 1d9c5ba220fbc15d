import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { SECOND_MS } from '../../rules/durations.ts'
import { startWork } from '../background-jobs.ts'
import type { Config } from '../config/config.ts'
import { prepareDataDirectory } from '../database/data-directory.ts'
import { isMigrated, migrate } from '../database/migrate.ts'
import { type Database, openDatabase } from '../database/pool.ts'
import { existing, reach, untilAlone } from '../database/reach.ts'
import { StartError } from '../database/start-error.ts'
import type { Deps } from '../deps.ts'
import { readSecret } from '../http/secret.ts'
import { installJobs, type Jobs } from '../jobs/jobs.ts'
import { openDeps } from '../open-deps.ts'
import { knownAddress } from '../shop-address.ts'
import type { Say } from '../terminal.ts'
import { wrongUsage } from './command.ts'

const MAIL_PATIENCE = 30 * SECOND_MS

/** Refuses what prints or mails links where the shop's address is not known. */
export function needAddress({ knowsAddress }: Config, what: string): void {
  if (knowsAddress) return
  throw wrongUsage(
    `SITE_URL is not set, and ${what} sends links to the shop: set its address, such as SITE_URL=https://shop.example.`,
  )
}

export async function inShop<T>(
  config: Config,
  say: Say,
  work: (deps: Deps) => Promise<T>,
): Promise<T> {
  const shop = await openShop(config, say)
  try {
    return await work(shop.deps)
  } finally {
    await shop.close()
  }
}

/**
 * Opens the dependencies of commands: the database of `DATABASE_URL`, that of the shop running on
 * `DATA_DIR`, or, if none is running, the embedded one, started for this command.
 */
export async function openShop(given: Config, say: Say) {
  const opened: (() => Promise<unknown>)[] = []
  /** Sends the command's mails if no shop will, announces changed pages, and closes everything. */
  const close = async () => {
    for (const step of opened.splice(0).reverse()) await step()
  }
  try {
    const prepared = { ...given, dataDir: prepareDataDirectory(existing(given)) }
    const config = { ...prepared, siteUrl: knownAddress(prepared) }
    const { connection, stop } = await reach(config)
    if (stop) opened.push(stop, () => untilAlone(connection))
    const database = openDatabase(connection, { size: 4 })
    opened.push(() => database.close())
    if (stop) {
      await migrate(connection)
      await installJobs(database)
    } else await refuseOtherVersion(database)
    // No command signs anything, so the secret of a shop on another machine is not needed.
    const secret = config.databaseUrl === null ? await readSecret(config) : randomBytes(32)
    const parts = { config, database, listener: NO_LISTENER, secret, say, supervise: false }
    const opening = await openDeps(parts, opened)
    const jobs = counted(opening.jobs)
    const deps = { ...opening, jobs }
    opened.push(() => sendMails(deps, jobs.count(), { isOpen: stop === undefined }))
    return { deps, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The queue, which counts the jobs that this command adds. */
function counted(jobs: Jobs): Jobs & { count: () => number } {
  let count = 0
  return {
    ...jobs,
    count: () => count,
    async enqueue(...job) {
      await jobs.enqueue(...job)
      count++
    },
    async sendAgain(db, ids) {
      const sent = await jobs.sendAgain(db, ids)
      count += sent
      return sent
    },
  }
}

/**
 * Sends the command's mails if this command started the database; otherwise the running shop sends
 * them.
 */
async function sendMails(
  deps: Deps,
  count: number,
  { isOpen }: { isOpen: boolean },
): Promise<void> {
  if (count === 0) return
  if (deps.mail.place.kind === 'folder') deps.report(inFolder(deps.mail.place.path))
  if (isOpen) return
  const stopWork = await startWork(deps, [])
  const finished = new AbortController()
  await Promise.race([deps.jobs.idle(), wait(MAIL_PATIENCE, undefined, finished).catch(() => {})])
  finished.abort()
  await stopWork()
  const waiting = (await deps.jobs.list('mail')).length
  if (waiting > 0) deps.report(`Mails that wait: ${waiting}. The shop sends them when it is open.`)
}

/** The line that says that mails reach nobody. */
export const inFolder = (path: string): string =>
  `SMTP_URL is not set: mails are written to ${path} and reach nobody.`

/** A command ends before any notification would matter. */
const NO_LISTENER: Deps['listener'] = {
  onNotify: async () => () => {},
  onReconnect: () => () => {},
  close: async () => {},
}

async function refuseOtherVersion(database: Database): Promise<void> {
  if (await isMigrated(database)) return
  throw new StartError(
    'The database belongs to another version of Karras; start the shop with this version first.',
  )
}
