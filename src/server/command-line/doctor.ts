import { SECOND_MS } from '../../rules/durations.ts'
import { type Config, examineSettings } from '../config/config.ts'
import { SETTINGS, withoutSecrets } from '../config/settings.ts'
import { migrationsOf, newestMigration, tryMigrations } from '../database/migrate.ts'
import { StartError } from '../database/start-error.ts'
import { currentBuild, isThere, loadBuild } from '../publishing/publishing.ts'
import { restoredFrom } from '../waiting/waiting.ts'
import { type AnyCommand, EXIT, type Outcome, refusal } from './command.ts'
import { examineAddress } from './doctor/address.ts'
import { examineDatabase, standing, withDatabase } from './doctor/database.ts'
import { attempt, type Finding, reasonOf, wrong } from './doctor/finding.ts'
import {
  dayOfBuild,
  examineBuild,
  examineDisk,
  examineSecret,
  NOT_BUILT,
  ownVersion,
} from './doctor/machine.ts'
import { examineGateway, examineMailServer, examineSms, examineStorage } from './doctor/services.ts'
import { examineNames } from './doctor/settings.ts'
import { counted, moment } from './print.ts'

export const doctorCommands: readonly AnyCommand[] = [
  {
    name: 'doctor',
    usage: '',
    summary: 'Checks the shop, one line for each check; exit code 1 if something is wrong.',
    details: [
      'Checks the settings, the address as visitors reach it through the proxy, the secret, disk and',
      'build, database, mail server, files and gateway, the ledger, ratings, sold files and backups,',
      'and says what to do about each problem. Writes nothing, and shows no secret.',
    ],
    async runUnread(env) {
      const { config, problems } = examineSettings(env)
      const { secret, findings: ofSecret } = await examineSecret(config)
      /** The findings of `examine`, unless a setting that the check needs is wrong. */
      const unlessWrong = async (check: string, examine: () => Promise<readonly Finding[]>) => {
        const problem = problems.find(({ variable }) => SETTINGS[variable].check === check)
        if (!problem) return await examine()
        return [wrong(check, 'not examined', `correct ${problem.variable} first`)]
      }
      const examined = await Promise.all([
        unlessWrong('secret', async () => ofSecret),
        examineDisk(config),
        [examineBuild()],
        unlessWrong('address', () =>
          attempt('address', 'see the reason', () => examineAddress(config, secret)),
        ),
        unlessWrong('database', () => examineDatabase(config)),
        unlessWrong('storage', () => examineStorage(config)),
        unlessWrong('outbox', () => examineMailServer(config)),
        unlessWrong('sms', () => examineSms(config)),
        unlessWrong('gateway', () => examineGateway(config)),
      ])
      const findings = [examineNames(env, problems), ...examined].flat().map((each) => ({
        ...each,
        found: withoutSecrets(each.found, env),
      }))
      const isWrong = findings.some(({ advice }) => advice !== undefined)
      return {
        exit: isWrong ? EXIT.no : EXIT.done,
        lines: findings.map(({ check, found, advice }) => {
          const what = `${check.padEnd(11)}  ${found}`
          return advice ? `WRONG  ${what}: ${advice}.` : `ok     ${what}.`
        }),
        json: { isWrong, findings },
      }
    },
  },
  {
    name: 'try-update',
    usage: '',
    summary: 'Tries whether this version can take over the shop, and changes nothing.',
    details: [
      'For a new version, before it replaces the one that runs: reads the settings, loads what the',
      'shop runs, and tries the migrations in a transaction that is rolled back. Says which they are,',
      'and whether the earlier version can go on beside them. Exit code 1 if it could not start.',
    ],
    runUnopened: tryUpdate,
  },
  {
    name: 'version',
    usage: '',
    summary: 'Shows the version, when it was built, and the version of the database.',
    async runUnopened(config) {
      const version = ownVersion()
      const builtAt = dayOfBuild()
      return await withDatabase(config, async ({ kysely }) => {
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

async function tryUpdate(config: Config): Promise<Outcome> {
  const build = currentBuild()
  if (!isThere(build)) throw refusal('This version is not built; run npm run build first.')
  // Loading also leaves compiled code for the start, which is then twice as fast.
  await Promise.all([import('../shop.ts'), loadBuild(build)])
  const { pending, notAdditive, took } = await withDatabase(config, (_, connection) =>
    tryMigrations(connection),
  ).catch((error) => {
    if (error instanceof StartError) throw error
    throw refusal(`It cannot: ${reasonOf(error)}. Nothing was changed.`)
  })
  const seconds = (took / SECOND_MS).toFixed(1)
  const lines =
    pending.length === 0
      ? ['It runs no migration: the earlier version can go on beside it, and is the way back.']
      : [
          `It runs ${counted(pending.length, 'migration')}, tried in ${seconds} s and rolled back: ${pending.join(', ')}.`,
          notAdditive.length === 0
            ? 'The earlier version works with them: it can go on beside this one, and is the way back.'
            : `The earlier version does NOT work with ${notAdditive.join(', ')}: the way back is a backup.`,
        ]
  return {
    lines: [`Karras ${ownVersion()} can take over this shop.`, ...lines],
    json: { version: ownVersion(), pending, notAdditive, took: Math.round(took) },
  }
}
