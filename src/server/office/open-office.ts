import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { SECOND_MS } from '../../rules/durations.ts'
import { startWork } from '../background-jobs.ts'
import type { Config } from '../config.ts'
import { prepareDataDirectory } from '../database/data-directory.ts'
import { isMigrated, migrate } from '../database/migrate.ts'
import { type Database, openDatabase } from '../database/pool.ts'
import { StartError } from '../database/start-error.ts'
import type { Deps } from '../deps.ts'
import { readSecret } from '../http/secret.ts'
import { installJobs, type Jobs } from '../jobs/jobs.ts'
import { openDeps } from '../open-deps.ts'
import { knownAddress } from '../shop-address.ts'
import type { Say } from '../terminal.ts'
import { existing, reach, untilAlone } from './reach.ts'

const MAIL_PATIENCE = 30 * SECOND_MS

/**
 * Opens what the commands work on, whether the shop runs or not: `DATABASE_URL`'s database, that of
 * the shop that runs on `DATA_DIR`, or, where none runs, the embedded one, started for the command.
 */
export async function openOffice(given: Config, say: Say) {
  const opened: (() => Promise<unknown>)[] = []
  /** Sends what is to be sent, announces changed pages, and closes everything. */
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
    // Nothing here signs; the secret of a shop elsewhere need not be known.
    const secret = config.databaseUrl === null ? await readSecret(config) : randomBytes(32)
    const parts = { config, database, listener: deaf, secret, say, supervise: false }
    const opening = await openDeps(parts, opened)
    const jobs = counted(opening.jobs)
    const deps = { ...opening, jobs }
    opened.push(() => leaveMails(deps, jobs.count(), { isOpen: stop === undefined }))
    return { deps, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The queue, which knows how much this command has put into it. */
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

/** A shop that is open sends what the command has caused; where none can be, the command tries to. */
async function leaveMails(
  deps: Deps,
  count: number,
  { isOpen }: { isOpen: boolean },
): Promise<void> {
  if (count === 0 || isOpen) return
  const stopWork = await startWork(deps, [])
  const sent = new AbortController()
  await Promise.race([deps.jobs.idle(), wait(MAIL_PATIENCE, undefined, sent).catch(() => {})])
  sent.abort()
  await stopWork()
  const waiting = (await deps.jobs.list('mail')).length
  if (waiting > 0) deps.report(`Mails that wait: ${waiting}. The shop sends them when it is open.`)
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
