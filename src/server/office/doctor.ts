import { type ConfigError, examineSettings } from '../config/config.ts'
import { type Setting, withoutSecrets } from '../config/environment.ts'
import { migrationsOf, newestMigration } from '../database/migrate.ts'
import { restoredFrom } from '../waiting/waiting.ts'
import { type AnyCommand, EXIT } from './command.ts'
import { examineAddress } from './doctor/address.ts'
import { examineDatabase, standing, withDatabase } from './doctor/database.ts'
import { attempt, type Finding, wrong } from './doctor/finding.ts'
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
import { moment } from './print.ts'

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
      const examined = await Promise.all([
        unless(problems, 'secret', ['JWT_SECRET'], async () => ofSecret),
        examineDisk(config),
        [examineBuild()],
        unless(problems, 'address', ['SITE_URL', 'HOST', 'PORT'], () =>
          attempt('address', 'see the reason', () => examineAddress(config, secret)),
        ),
        unless(problems, 'database', ['DATABASE_URL', 'DATABASE_LISTEN_URL'], () =>
          examineDatabase(config),
        ),
        unless(problems, 'storage', ['FILES_URL', 'AWS_'], () => examineStorage(config)),
        unless(problems, 'outbox', ['SMTP_URL'], () => examineMailServer(config)),
        unless(
          problems,
          'sms',
          ['SMS_URL', 'SMS_HEADERS', 'SMS_BODY', 'SMS_ACCEPTED', 'SMS_PER_DAY'],
          () => examineSms(config),
        ),
        unless(problems, 'gateway', ['PAYMENT_PROVIDER', 'KONNECT_'], () => examineGateway(config)),
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

/** The findings of `examine`, unless a setting whose name begins so is wrong. */
async function unless(
  problems: readonly ConfigError[],
  check: string,
  names: readonly (Setting | 'AWS_' | 'KONNECT_')[],
  examine: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const problem = problems.find(({ variable }) => names.some((name) => variable.startsWith(name)))
  if (!problem) return await examine()
  return [wrong(check, 'not examined', `correct ${problem.variable} first`)]
}
