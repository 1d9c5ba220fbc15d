import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { sql } from 'kysely'
import { formatSize } from '../../i18n/file-size.ts'
import {
  checkBackup,
  checkForRestore,
  type Progress,
  type RestoredShop,
  restoreBackup,
  restoreEmbedded,
  takeBackup,
} from '../backup/backup.ts'
import type { Config } from '../config/config.ts'
import { prepareDataDirectory } from '../database/data-directory.ts'
import { openDatabase } from '../database/pool.ts'
import { existing, reach, untilAlone } from '../database/reach.ts'
import type { Connection } from '../database/servers.ts'
import { codeOf } from '../database/start-error.ts'
import { openStorage } from '../files/files.ts'
import { secretIfThere } from '../http/secret.ts'
import { isLedgerSound, ledgerLines } from '../money/money.ts'
import { keepListIn } from '../own-data/own-data.ts'
import { noteBackup } from '../waiting/waiting.ts'
import { type AnyCommand, EXIT, type Monitor, type Outcome, refusal } from './command.ts'
import { counted, moment } from './print.ts'

export const backupCommands: readonly AnyCommand[] = [
  {
    name: 'backup',
    usage: '<file>',
    summary: 'Backs up the whole shop, database and files, into one file while the shop runs.',
    details: [
      'The file holds the shop as it was at one moment. It is written as <file>.part and renamed when',
      'complete. It contains all customer data, so only its owner can read it.',
      'The secret is left out unless you ask for it: with it, anybody can log in as anyone. Without it,',
      'a restored shop logs everyone out, and staff authenticators stop working.',
    ],
    options: {
      'with-secret': {
        type: 'boolean',
        about: 'include DATA_DIR/secret; guard such a file well',
      },
    },
    runUnopened: (config, { args: [file = ''], options }, monitor) =>
      backUp(config, resolve(file), options['with-secret'] === true, monitor),
  },
  {
    name: 'backup check',
    usage: '<file>',
    summary: 'Reads a whole backup and verifies its checksums; exit code 1 if it is damaged.',
    async runUnopened(_config, { args: [file = ''] }, monitor) {
      const progress = progressFor(monitor)
      const checked = await checkBackup(resolve(file), (read, size) =>
        progress('checking', read, size),
      )
      const { madeAt, postgres, migrations, tables, holdsSecret = false } = checked.header
      return {
        lines: [
          `The backup is whole: ${formatSize('en', checked.size)}, ${counted(tables.length, 'table')}, ${counted(checked.files, 'file')}.`,
          `Made at ${madeAt} from PostgreSQL ${postgres}, at ${migrations.at(-1) ?? 'no migration'}.`,
          ...(holdsSecret ? [HOLDS_SECRET] : []),
        ],
        json: {
          size: checked.size,
          files: checked.files,
          tables: tables.map(({ name }) => name),
          madeAt,
          postgres,
          migrations,
          holdsSecret,
        },
      }
    },
  },
  {
    name: 'backup note',
    usage: '',
    summary: 'Records that the shop was backed up by other means, such as by its database host.',
    details: ['The office warns when the last backup is old. `backup` records itself.'],
    async run({ database, now }) {
      const at = new Date(now())
      await noteBackup(database, at)
      return { lines: [`Noted: backed up ${moment(at)}.`], json: { backupAt: at } }
    },
  },
  {
    name: 'restore',
    usage: '<file>',
    summary: 'Restores a backup into an empty DATA_DIR or DATABASE_URL.',
    details: [
      'No shop may be running there. The whole file is read first: if it is damaged, nothing is written.',
      'Then the ledger is checked: if it is wrong, nothing is kept.',
    ],
    options: {
      'even-unsound': { type: 'boolean', about: 'keep the shop even if its ledger is wrong' },
    },
    runUnopened: (config, { args: [file = ''], options }, monitor) =>
      restore(config, resolve(file), options['even-unsound'] === true, monitor),
  },
]

const HOLDS_SECRET =
  'It HOLDS THE SECRET of the shop: anybody who can read this file can log in as any account.'

async function backUp(
  given: Config,
  path: string,
  withSecret: boolean,
  monitor: Monitor,
): Promise<Outcome> {
  refuseTarget(path, given)
  if (withSecret && given.jwtSecret !== null) {
    throw refusal('The secret of this shop is JWT_SECRET, not a file: keep that setting yourself.')
  }
  const config = { ...given, dataDir: prepareDataDirectory(existing(given)) }
  const secret = withSecret ? await secretIfThere(config) : null
  if (withSecret && secret === null) {
    throw refusal(
      `There is no ${join(config.dataDir, 'secret')} yet; the shop makes it as it starts.`,
    )
  }
  const storage = await openStorage(config)
  const { connection, stop } = await reach(config)
  try {
    const taken = await takeBackup({
      connection,
      storage,
      path,
      secret,
      progress: progressFor(monitor),
    }).catch(explain(path))
    for (const key of taken.missing) {
      monitor.warn(`The database names the file ${key}, which is not there.`)
    }
    for (const key of taken.damaged) {
      monitor.warn(`The file ${key} is damaged; it was backed up as it is.`)
    }
    await recordBackup(connection, dirname(path))
    const { size, tables, rows, mails, files } = taken
    return {
      lines: [
        `Wrote ${path}: ${formatSize('en', size)}, ${counted(tables, 'table')}, ${counted(rows, 'row')}, ${counted(mails, 'waiting mail')}, ${counted(files, 'file')}.`,
        ...(secret === null ? [] : [HOLDS_SECRET]),
      ],
      json: { path, ...taken, holdsSecret: secret !== null },
    }
  } finally {
    if (stop) {
      await untilAlone(connection)
      await stop()
    }
    storage.close()
  }
}

/**
 * Records the backup for the first page of the office, and beside it whom a restore has to delete
 * again; a database of an earlier version has no place for either.
 */
async function recordBackup(connection: Connection, directory: string): Promise<void> {
  const database = openDatabase(connection, { size: 1 })
  try {
    const { rows } = await sql<{ hasPlace: boolean; knowsDeleted: boolean }>`
      SELECT to_regclass('upkeep') IS NOT NULL AS has_place,
        to_regclass('account_deletions') IS NOT NULL AS knows_deleted`.execute(database.kysely)
    if (rows[0]?.hasPlace) await noteBackup(database, new Date())
    if (rows[0]?.knowsDeleted) await keepListIn(database.kysely, directory)
  } finally {
    await database.close()
  }
}

function refuseTarget(path: string, { dataDir }: Config): void {
  for (const taken of [path, `${path}.part`]) {
    if (!existsSync(taken)) continue
    const hint =
      taken === path
        ? 'choose another name'
        : 'a backup is being written, or was interrupted: then remove it'
    throw refusal(`${taken} exists already; ${hint}.`)
  }
  const directory = dirname(resolve(path))
  // The office proposes this one; another that is missing is a slip, or a disk that is not mounted.
  if (directory === join(dataDir, 'backups') && existsSync(dataDir)) {
    try {
      mkdirSync(directory, { mode: 0o700, recursive: true })
    } catch (error) {
      explain(directory)(error)
    }
  }
  if (!existsSync(directory)) {
    throw refusal(`There is no directory ${dirname(path)} to write into.`)
  }
}

async function restore(
  config: Config,
  path: string,
  evenUnsound: boolean,
  monitor: Monitor,
): Promise<Outcome> {
  const progress = progressFor(monitor)
  await checkForRestore(path, progress)
  const storage = await openStorage(config)
  const options = { path, storage, evenUnsound, progress, jwtSecret: config.jwtSecret }
  const restored = await (config.databaseUrl === null
    ? restoreEmbedded({ ...options, dataDir: config.dataDir })
    : restoreBackup({
        ...options,
        connection: config.databaseUrl,
        dataDir: prepareDataDirectory(config.dataDir),
      })
  )
    .catch(explain(path))
    .finally(storage.close)
  return outcomeOf(restored, config)
}

function outcomeOf(
  { header, files, ledger, isKept, hasSecret, stopped, deletedAgain }: RestoredShop,
  config: Config,
): Outcome {
  const sound = isLedgerSound(ledger)
  const what = `the shop of ${header.madeAt}: ${counted(header.tables.length, 'table')}, ${counted(files, 'file')}`
  return {
    exit: sound ? EXIT.done : EXIT.no,
    lines: [
      isKept ? `Restored ${what}.` : `Nothing was kept of ${what}.`,
      ...ledgerLines(ledger),
      ...(deletedAgain > 0
        ? [
            `Deleted ${counted(deletedAgain, 'person', 'people')} again, as the list of deleted people says.`,
          ]
        : []),
      ...(isKept ? secretLines({ hasSecret, stopped }, config) : []),
    ],
    json: {
      isKept,
      madeAt: header.madeAt,
      files,
      ledger: { sound, ...ledger },
      hasSecret,
      stoppedAuthenticators: stopped,
      deletedAgain,
    },
  }
}

/** What the restored shop's secret means for those who log in, and what may be done about it. */
function secretLines(
  { hasSecret, stopped }: Pick<RestoredShop, 'hasSecret' | 'stopped'>,
  { dataDir, jwtSecret, officeCommand }: Config,
): string[] {
  const place = jwtSecret === null ? join(dataDir, 'secret') : 'JWT_SECRET'
  if (stopped === 0) {
    return hasSecret
      ? [`It goes on with the secret in ${place}.`]
      : ['The shop makes a new secret as it starts: everybody logs in again.']
  }
  return [
    `${counted(stopped, 'authenticator')} of staff will NOT work: ${hasSecret ? `${place} is another secret` : 'the shop makes a new secret as it starts'}.`,
    jwtSecret === null
      ? `To keep them, copy the old shop’s DATA_DIR/secret to ${place} before the first start, or set the JWT_SECRET that it had.`
      : 'To keep them, set JWT_SECRET before the first start to the line in the old shop’s DATA_DIR/secret, as it is, or to the JWT_SECRET that it had.',
    `Otherwise their recovery codes work, and \`${officeCommand} second-factor reset <e-mail>\` helps those who have none.`,
  ]
}

/** Turns an error of a disk, ours or the database server's, into one line for the operator. */
function explain(path: string): (error: unknown) => never {
  return (error) => {
    const code = codeOf(error) ?? ''
    if (['ENOSPC', 'EDQUOT', '53100'].includes(code)) {
      throw refusal('The disk is full; what had been written was removed.')
    }
    if (['EACCES', 'EPERM', 'EROFS'].includes(code)) {
      throw refusal(`${path}: this user may not write there (${code}).`)
    }
    throw error
  }
}

/** Progress for a terminal, a few times a second. */
function progressFor({ progress }: Monitor): Progress {
  let shownAt = 0
  return (what, done, of) => {
    if (performance.now() - shownAt < 200) return
    shownAt = performance.now()
    progress(`${what} ${of > 0 ? Math.floor((100 * done) / of) : 100} %`)
  }
}
