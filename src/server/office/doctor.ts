import { readFileSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import { formatSize } from '../../i18n/file-size.ts'
import { SECOND_MS } from '../../rules/durations.ts'
import { DISK_NEARLY_FULL_BYTES } from '../../rules/upkeep.ts'
import { type Config, realBecause } from '../config/config.ts'
import { prepareDataDirectory } from '../database/data-directory.ts'
import { migrationsOf, newestMigration } from '../database/migrate.ts'
import { openDatabase } from '../database/pool.ts'
import { existing, reach, untilAlone } from '../database/reach.ts'
import type { Schema } from '../database/schema.ts'
import { StartError } from '../database/start-error.ts'
import { DatabaseUnavailable } from '../database/unavailable.ts'
import type { Deps } from '../deps.ts'
import { lookForSoldFiles } from '../documents/documents.ts'
import { readMailState } from '../mail/mail.ts'
import { isLedgerSound } from '../money/money.ts'
import { currentBuild, isThere } from '../publishing/publishing.ts'
import { checkRatings } from '../ratings/ratings.ts'
import { readTroubles } from '../troubles/troubles.ts'
import { checkLedgerAndNote, readUpkeep, restoredFrom } from '../waiting/waiting.ts'
import { EXIT, type SetupCommand } from './command.ts'
import { inOffice } from './open-office.ts'
import { counted, moment } from './print.ts'

const PACKAGE = new URL('../../../package.json', import.meta.url)

export const doctorCommands: readonly SetupCommand[] = [
  {
    name: 'doctor',
    usage: '',
    summary: 'Checks the shop, one line for each check; exit code 1 if something is wrong.',
    details: [
      'Checks database and migrations, ledger, ratings, disk, files of sold documents, mail, gateway,',
      'SITE_URL, backups, clocks and build, and says what to do about each problem.',
    ],
    async runUnopened(config, _input, { warn }) {
      const findings = [...(await examineMachine(config)), ...(await examineDatabase(config))]
      const isOpen = findings.some(({ check, advice }) => check === 'migrations' && !advice)
      if (isOpen) {
        await inOffice(config, warn, async (deps) => {
          findings.push(...(await examineRecords(deps)), ...(await examineUpkeep(deps)))
        })
      }
      const isWrong = findings.some(({ advice }) => advice !== undefined)
      return {
        exit: isWrong ? EXIT.no : EXIT.done,
        lines: findings.map(({ check, found, advice }) => {
          const what = `${check.padEnd(10)}  ${found}`
          return advice ? `WRONG  ${what}: ${advice}.` : `ok     ${what}.`
        }),
        json: { isWrong, findings },
      }
    },
  },
  {
    name: 'version',
    usage: '',
    summary: 'Shows the version, when it was built, and the version of the database.',
    async runUnopened(config) {
      const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }
      const builtAt = dayOfBuild()
      return await withDatabase(config, async (kysely) => {
        const done = await migrationsOf(kysely)
        const database = done.at(-1) ?? 'no migration'
        const from = await restoredFrom(kysely)
        return {
          lines: [
            `Karras ${version}, ${builtAt ? `built on ${moment(builtAt)}` : `${NOT_BUILT}: the next start builds it`}.`,
            `The database is at ${database}: ${standing(database)}.`,
            ...(from ? [`Restored from the backup of ${moment(from)}.`] : []),
          ],
          json: {
            version,
            builtAt,
            database,
            newest: newestMigration,
            restoredFrom: from,
          },
        }
      })
    },
  },
]

/** What was found of one thing; with `advice` it is wrong, and that is to be done. */
interface Finding {
  readonly check: Check
  readonly found: string
  readonly advice?: string
}

/** What is to be done about each thing that is wrong. */
const ADVICE = {
  database: 'start it, or set the same environment as for the shop',
  postgres: 'update it to version 15 or newer',
  migrations: 'start the shop with the newer of the two versions',
  clocks: 'synchronise both (NTP), because log-ins and payments expire by them',
  address: 'set SITE_URL to the shop’s https address, which mails and the gateway need',
  proxy: 'add its address to TRUSTED_PROXIES, and start the shop again',
  disk: 'free some space (old backups, DATA_DIR/outbox), or use a larger disk',
  build: 'run npm run build, or let the next start do it',
  ledger: '`ledger check` shows what differs; take no more payments until you know why',
  ratings: 'hide and show one of their ratings, which recounts them',
  files: 'restore them from a backup, or ask their teachers to upload them again',
  outbox: 'set SMTP_URL; mails in a folder reach nobody',
  mail: '`mails` shows why; fix that, then run `mails test <e-mail>` and `mails send --all`',
  backup: 'run `backup <file>` now and daily, or `backup note` if your host makes backups',
  gateway: 'check the gateway’s own status page, and its settings here',
} as const
type Check = keyof typeof ADVICE

const finding = (check: Check, found: string, isWrong: boolean): Finding => ({
  check,
  found,
  ...(isWrong && { advice: ADVICE[check] }),
})

/** The database as it is, which may be of another version; started if no shop runs. */
async function withDatabase<T>(given: Config, work: (db: Kysely<Schema>) => Promise<T>) {
  const config = { ...given, dataDir: prepareDataDirectory(existing(given)) }
  const { connection, stop } = await reach(config)
  const { kysely, close } = openDatabase(connection, { size: 1 })
  try {
    return await work(kysely)
  } finally {
    await close()
    if (stop) {
      await untilAlone(connection)
      await stop()
    }
  }
}

async function examineDatabase(config: Config): Promise<Finding[]> {
  try {
    return await withDatabase(config, async (kysely) => {
      const { rows } = await sql<{ version: string; now: Date }>`
        SELECT current_setting('server_version') AS version, clock_timestamp() AS now`.execute(
        kysely,
      )
      const { version = '?', now = new Date() } = rows[0] ?? {}
      const newest = (await migrationsOf(kysely)).at(-1) ?? 'no migration'
      const apart = Math.abs(now.getTime() - Date.now()) / SECOND_MS
      return [
        finding('postgres', `PostgreSQL ${version} answers`, Number.parseInt(version, 10) < 15),
        finding('migrations', `${newest}, ${standing(newest)}`, newest !== newestMigration),
        finding('clocks', `database and machine differ by ${apart.toFixed(0)} s`, apart > 5),
      ]
    })
  } catch (error) {
    const isKnown = error instanceof StartError || error instanceof DatabaseUnavailable
    if (!isKnown) throw error
    return [finding('database', `no answer (${error.message.replace(/\.$/, '')})`, true)]
  }
}

async function examineMachine(config: Config): Promise<Finding[]> {
  const { hasSiteUrl, siteUrl, knowsAddress, dataDir } = config
  const isUnsafe = !knowsAddress || (realBecause(config) !== null && !siteUrl.startsWith('https:'))
  const builtAt = dayOfBuild()
  const disk = await statfs(dataDir).catch(() => null)
  const free = disk ? disk.bavail * disk.bsize : 0
  return [
    finding('address', hasSiteUrl ? `SITE_URL is ${siteUrl}` : 'SITE_URL is not set', isUnsafe),
    finding('disk', `${dataDir} has ${formatSize('en', free)} left`, free < DISK_NEARLY_FULL_BYTES),
    finding('build', builtAt ? `built on ${moment(builtAt)}` : NOT_BUILT, builtAt === null),
  ]
}

const NOT_BUILT = 'not built yet'

function dayOfBuild(): Date | null {
  const build = currentBuild()
  return isThere(build) ? statSync(build.serverDirectory).mtime : null
}

/** How many sold documents are looked at, chosen by chance. */
const SAMPLE = 200

async function examineRecords(deps: Deps): Promise<Finding[]> {
  const { kysely } = deps.database
  const report = await checkLedgerAndNote(deps)
  const wrong = (await checkRatings(kysely)).map(({ kind, id }) => `${kind} ${id}`)
  const { looked, missing } = await lookForSoldFiles(deps, SAMPLE)
  const there = `${counted(looked, 'sold document')} looked at`
  const gone = `missing or cut off: those of documents ${missing.join(', ')}`
  return [
    finding('ledger', counted(report.transactions, 'transaction'), !isLedgerSound(report)),
    finding('ratings', wrong.join(', ') || 'all averages are right', wrong.length > 0),
    finding('files', missing.length === 0 ? there : gone, missing.length > 0),
  ]
}

async function examineUpkeep(deps: Deps): Promise<Finding[]> {
  const { kysely } = deps.database
  const { kind, place, waiting, givenUp } = await readMailState(deps)
  const { backupAt, backupWaits } = await readUpkeep(kysely, deps.now())
  const troubles = (await readTroubles(kysely)).filter(({ since }) => since !== null)
  const reaches = kind === 'server' || realBecause(deps.config) === null
  return [
    finding('outbox', `mails go to ${place}`, !reaches),
    finding('mail', `${waiting} wait, ${givenUp} were given up`, givenUp > 0),
    finding(
      'backup',
      backupAt ? `the last is of ${moment(backupAt)}` : 'none',
      backupWaits !== null,
    ),
    ...troubles.map(({ what, since, reason }) =>
      finding(what, `fails since ${moment(since)}: ${reason}`, true),
    ),
  ]
}

/** How the database's newest migration stands to this version's; their names begin with numbers. */
function standing(database: string): string {
  if (database === newestMigration) return 'that of this version'
  return database > newestMigration
    ? 'newer than this version, which does not start on it'
    : `the start of this version brings it to ${newestMigration}`
}
