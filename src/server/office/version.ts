import { readFileSync, statSync } from 'node:fs'
import { prepareDataDirectory } from '../database/data-directory.ts'
import { migrationsOf, newestMigration } from '../database/migrate.ts'
import { openDatabase } from '../database/pool.ts'
import { currentBuild, isThere } from '../publishing/publishing.ts'
import { restoredFrom } from '../waiting/waiting.ts'
import type { SetupCommand } from './command.ts'
import { moment } from './print.ts'
import { existing, reach, untilAlone } from './reach.ts'

const PACKAGE = new URL('../../../package.json', import.meta.url)

export const versionCommands: readonly SetupCommand[] = [
  {
    name: 'version',
    usage: '',
    summary: 'Shows this version with the day of its build, and that of the database.',
    async runUnopened(given) {
      const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }
      const build = currentBuild()
      const builtAt = isThere(build) ? statSync(build.serverDirectory).mtime : null
      const config = { ...given, dataDir: prepareDataDirectory(existing(given)) }
      const { connection, stop } = await reach(config)
      const { kysely, close } = openDatabase(connection, { size: 1 })
      try {
        const done = await migrationsOf(kysely)
        const database = done.at(-1) ?? 'no migration'
        const from = await restoredFrom(kysely)
        return {
          lines: [
            `Karras ${version}, ${builtAt ? `built on ${moment(builtAt)}` : 'not built yet: the next start builds it'}.`,
            `The database is at ${database}: ${standing(database)}.`,
            ...(from ? [`Restored from the backup of ${moment(from)}.`] : []),
          ],
          json: { version, builtAt, database, newest: newestMigration, restoredFrom: from },
        }
      } finally {
        await close()
        if (stop) {
          await untilAlone(connection)
          await stop()
        }
      }
    },
  },
]

/** How the database's newest migration stands to this version's; their names begin with numbers. */
function standing(database: string): string {
  if (database === newestMigration) return 'that of this version'
  return database > newestMigration
    ? 'newer than this version, which does not start on it'
    : `the start of this version brings it to ${newestMigration}`
}
