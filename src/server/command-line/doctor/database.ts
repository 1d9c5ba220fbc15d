import { randomUUID } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import { MINUTE_MS, SECOND_MS } from '../../../rules/durations.ts'
import { backupCommandOf, type Config } from '../../config/config.ts'
import { LISTENER_NAME, openListener } from '../../database/listen.ts'
import { migrationsOf, newestMigration, OLDEST_MAJOR } from '../../database/migrate.ts'
import { type Database, openDatabase } from '../../database/pool.ts'
import { existing, reach, untilAlone } from '../../database/reach.ts'
import type { Schema } from '../../database/schema.ts'
import type { Connection } from '../../database/servers.ts'
import { longTransaction } from '../../database/transaction.ts'
import { lookForSoldFiles } from '../../documents/documents.ts'
import { SCHEMA } from '../../jobs/jobs.ts'
import { checkLedger, isLedgerSound } from '../../money/money.ts'
import { checkRatings } from '../../ratings/ratings.ts'
import { readTroubles } from '../../troubles/troubles.ts'
import { LEDGER_LIMIT_MS, readUpkeep } from '../../waiting/waiting.ts'
import { counted, moment } from '../print.ts'
import { TRUST } from './address.ts'
import { attempt, type Finding, inTime, reasonOf, sound, wrong } from './finding.ts'
import { readOne, usingStorage } from './services.ts'

/** Less than the limit of an answer, so that the server says itself what took too long. */
const STATEMENT_LIMIT_MS = 8 * SECOND_MS
/** A standby that is further behind would lose or show old sales after a failover. */
const STANDBY_LAG_MS = MINUTE_MS
/** An announcement is heard at once, or never. */
const HEARD_WITHIN_MS = 5 * SECOND_MS
const CLOCKS_APART_MS = 5 * SECOND_MS

/** The database as it is, which may be of another version; started if no shop runs. */
export async function withDatabase<T>(
  given: Config,
  work: (database: Database, connection: Connection) => Promise<T>,
): Promise<T> {
  const dataDir = existing(given)
  // Not prepared, which would make it.
  const config = { ...given, dataDir: existsSync(dataDir) ? realpathSync(dataDir) : dataDir }
  const { connection, stop } = await reach(config)
  const database = openDatabase(connection, { size: 2, statementTimeout: STATEMENT_LIMIT_MS })
  try {
    return await work(database, connection)
  } finally {
    await database.close()
    if (stop) {
      await untilAlone(connection)
      await stop()
    }
  }
}

const GUIDE = 'docs/operating/several-machines.md, “A pooler before the database”'

export function examineDatabase(config: Config): Promise<readonly Finding[]> {
  const away = 'start it, or set the same environment as for the shop'
  // PgBouncer's words about the limits with which the shop connects.
  const refused = (reason: string) => /unsupported startup parameter/.test(reason)
  const ignore = `have the pooler ignore the shop’s limits (ignore_startup_parameters; ${GUIDE})`
  const advice = (reason: string) => (refused(reason) ? ignore : away)
  return attempt('database', advice, () =>
    withDatabase(config, async (database, connection) => {
      const reading = <T>(work: (db: Kysely<Schema>) => Promise<T>) =>
        database.kysely.transaction().setAccessMode('read only').execute(work)
      const server = await reading(readServer)
      const newest = (await reading(migrationsOf)).at(-1) ?? 'no migration'
      const isCurrent = newest === newestMigration
      const at = `${newest}, ${standing(newest)}`
      const [heard, records] = await Promise.all([
        server.isStandby ? [] : examineListening(config, database, connection),
        isCurrent ? examineRecords(config, database) : [],
      ])
      return [
        ...serverFindings(config, server),
        ...heard,
        isCurrent
          ? sound('migrations', at)
          : wrong('migrations', at, 'start the shop with the newer of the two versions'),
        ...records,
        ...(isCurrent
          ? await attempt('upkeep', away, () => reading((db) => examineUpkeep(config, db)))
          : []),
      ]
    }),
  )
}

/** How the database's newest migration stands to this version's; their names begin with numbers. */
export function standing(database: string): string {
  if (database === newestMigration) return 'that of this version'
  return database > newestMigration
    ? 'newer than this version, which does not start on it'
    : `the start of this version brings it to ${newestMigration}`
}

async function readServer(db: Kysely<Schema>) {
  const { rows } = await sql<{
    version: string
    now: Date
    isStandby: boolean
    connections: number
    processes: number
    statementTimeout: string
    lockTimeout: string
    idleTimeout: string
    synchronousCommit: string
    fsync: string
    fullPageWrites: string
    walLevel: string
    mayCreate: boolean
    isComplete: boolean
    foreignTables: number
    standbys: number
    synchronous: number
    lagSeconds: number | null
    mustWait: boolean
    seesStandbys: boolean
  }>`
    SELECT current_setting('server_version') AS version, clock_timestamp() AS now,
      pg_is_in_recovery() AS is_standby,
      least(
        current_setting('max_connections')::integer
          - current_setting('superuser_reserved_connections')::integer
          - coalesce(current_setting('reserved_connections', true)::integer, 0),
        (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user AND rolconnlimit >= 0),
        (SELECT datconnlimit FROM pg_database
          WHERE datname = current_database() AND datconnlimit >= 0)
      ) AS connections,
      (SELECT count(*)::integer FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = ${LISTENER_NAME}) AS processes,
      current_setting('statement_timeout') AS statement_timeout,
      current_setting('lock_timeout') AS lock_timeout,
      current_setting('idle_in_transaction_session_timeout') AS idle_timeout,
      current_setting('synchronous_commit') AS synchronous_commit,
      current_setting('fsync') AS fsync,
      current_setting('full_page_writes') AS full_page_writes,
      current_setting('wal_level') AS wal_level,
      coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may_create,
      has_database_privilege(current_database(), 'CREATE') OR (
        to_regnamespace(${SCHEMA}) IS NOT NULL
        AND EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm')
      ) AS is_complete,
      (SELECT count(*)::integer FROM pg_class
        WHERE relkind IN ('r', 'p')
          AND relnamespace IN (to_regnamespace(current_schema()), to_regnamespace(${SCHEMA}))
          AND NOT pg_has_role(relowner, 'USAGE')) AS foreign_tables,
      (SELECT count(*)::integer FROM pg_stat_replication) AS standbys,
      (SELECT count(*)::integer FROM pg_stat_replication
        WHERE sync_state IN ('sync', 'quorum')) AS synchronous,
      (SELECT extract(epoch FROM max(replay_lag))::float FROM pg_stat_replication) AS lag_seconds,
      current_setting('synchronous_standby_names') <> '' AS must_wait,
      pg_has_role('pg_read_all_stats', 'USAGE') AS sees_standbys`.execute(db)
  const [server] = rows
  if (!server) throw new Error('the server did not describe itself')
  return { ...server, apartMs: Math.abs(server.now.getTime() - Date.now()) }
}
type Server = Awaited<ReturnType<typeof readServer>>

function serverFindings(config: Config, server: Server): readonly Finding[] {
  return [
    versionFinding(server),
    clocksFinding(server),
    connectionsFinding(config, server),
    limitsFinding(server),
    rightsFinding(server),
    durabilityFinding(server),
    replicationFinding(server),
  ]
}

function versionFinding({ version }: Server): Finding {
  const found = `PostgreSQL ${version} answers`
  const isOld = Number.parseInt(version, 10) < OLDEST_MAJOR
  return isOld
    ? wrong('postgres', found, `update it to version ${OLDEST_MAJOR} or newer`)
    : sound('postgres', found)
}

function clocksFinding({ apartMs }: Server): Finding {
  const found = `database and machine differ by ${(apartMs / SECOND_MS).toFixed(0)} s`
  return apartMs > CLOCKS_APART_MS
    ? wrong('clocks', found, 'synchronise both (NTP), because log-ins and payments expire by them')
    : sound('clocks', found)
}

function connectionsFinding(
  { databasePool, databaseListenUrl }: Config,
  { connections, processes }: Server,
): Finding {
  const allowed = `${connections} are allowed`
  if (databaseListenUrl !== null) {
    return sound('connections', `${allowed}; how many there are, the pooler decides`)
  }
  const shops = Math.max(1, processes)
  // The pool, and the listening one.
  const needed = shops * (databasePool + 1)
  const found = `${allowed}, ${counted(shops, 'process', 'processes')} of the shop may need ${needed}`
  return needed > connections
    ? wrong('connections', found, 'raise max_connections, or lower DATABASE_POOL')
    : sound('connections', found)
}

function limitsFinding({ statementTimeout, lockTimeout, idleTimeout }: Server): Finding {
  const limits = {
    statement_timeout: statementTimeout,
    lock_timeout: lockTimeout,
    idle_in_transaction_session_timeout: idleTimeout,
  }
  const lost = Object.entries(limits).flatMap(([name, value]) => (value === '0' ? [name] : []))
  return lost.length === 0
    ? sound('limits', 'statements, locks and idle transactions have theirs')
    : wrong(
        'limits',
        `a pooler drops ${lost.join(', ')}`,
        `give them to the role by ALTER ROLE … SET (${GUIDE})`,
      )
}

function rightsFinding({ mayCreate, isComplete, foreignTables }: Server): Finding {
  const owner = 'let the role of DATABASE_URL own the database, its schemas and their tables'
  if (foreignTables > 0) {
    const found = `${counted(foreignTables, 'table')} of the shop belong to another role`
    return wrong('rights', found, owner)
  }
  return mayCreate && isComplete
    ? sound('rights', 'the role may create tables, and owns those of the shop')
    : wrong('rights', 'the role may not create what updates need', owner)
}

function durabilityFinding(server: Server): Finding {
  const { synchronousCommit, fsync, fullPageWrites, walLevel, mustWait } = server
  const found = `synchronous_commit is ${synchronousCommit}, fsync ${fsync}, full_page_writes ${fullPageWrites}, wal_level ${walLevel}`
  const isLossy =
    synchronousCommit === 'off' ||
    (synchronousCommit === 'local' && mustWait) ||
    fsync === 'off' ||
    fullPageWrites === 'off'
  return isLossy
    ? wrong(
        'durability',
        found,
        'set the first three to on: a crash loses payments that are confirmed',
      )
    : sound('durability', found)
}

function replicationFinding(server: Server): Finding {
  const { isStandby, standbys, synchronous, lagSeconds, mustWait, seesStandbys } = server
  if (isStandby) {
    const advice = 'give the address of the primary, or those of all servers'
    return wrong('replication', 'this server is a standby, which only reads', advice)
  }
  const lag = lagSeconds === null ? '' : `, ${lagSeconds.toFixed(1)} s behind`
  const seen = seesStandbys
    ? `, ${synchronous} of them synchronous${lag}`
    : '; how far behind, only a role in pg_read_all_stats sees'
  const found =
    standbys === 0
      ? 'no standby is connected'
      : `${counted(standbys, 'standby', 'standbys')}${seen}`
  if (mustWait && (standbys === 0 || (seesStandbys && synchronous === 0))) {
    const advice =
      'connect the one that synchronous_standby_names names: every payment waits for it'
    return wrong('replication', found, advice)
  }
  return (lagSeconds ?? 0) * SECOND_MS > STANDBY_LAG_MS
    ? wrong('replication', found, 'see why the standby does not follow (its log, network and disk)')
    : sound('replication', found)
}

/** Whether the listening connection hears what is announced through the main one. */
function examineListening(
  { databaseListenUrl }: Config,
  database: Database,
  connection: Connection,
): Promise<readonly Finding[]> {
  const where = databaseListenUrl === null ? 'DATABASE_URL' : 'DATABASE_LISTEN_URL'
  const advice =
    'set DATABASE_LISTEN_URL to the server itself, the same database without a pooler between'
  return attempt('listening', advice, async () => {
    let trouble = 'nothing was heard'
    const log = (line: string) => {
      trouble = line
    }
    const listener = openListener(databaseListenUrl ?? connection, { log })
    const channel = `doctor_${randomUUID()}`
    const announceAndHear = async () => {
      const heard = Promise.withResolvers<void>()
      await listener.onNotify(channel, () => heard.resolve())
      await sql`SELECT pg_notify(${channel}, '')`.execute(database.kysely)
      await heard.promise
    }
    try {
      await inTime(announceAndHear, HEARD_WITHIN_MS)
      return [sound('listening', `${where} hears what is announced`)]
    } catch (error) {
      return [wrong('listening', `${where}: ${reasonOf(error)}, ${reasonOf(trouble)}`, advice)]
    } finally {
      await listener.close()
    }
  })
}

/** How many sold documents are looked at, chosen by chance. */
const SAMPLE = 200

/** The records of the shop, compared with each other; without the note that `ledger check` makes. */
function examineRecords(config: Config, database: Database): Promise<readonly Finding[]> {
  return attempt('records', 'see why they cannot be read', () =>
    longTransaction(database, LEDGER_LIMIT_MS, async (tx) => {
      await sql`SET TRANSACTION READ ONLY`.execute(tx)
      const report = await checkLedger(tx)
      const transactions = counted(report.transactions, 'transaction')
      const averages = (await checkRatings(tx)).map(({ kind, id }) => `${kind} ${id}`)
      return [
        isLedgerSound(report)
          ? sound('ledger', transactions)
          : wrong(
              'ledger',
              transactions,
              '`ledger check` shows what differs; take no more payments until you know why',
            ),
        averages.length === 0
          ? sound('ratings', 'all averages are right')
          : wrong(
              'ratings',
              averages.join(', '),
              'hide and show one of their ratings, which recounts them',
            ),
        ...(await examineSoldFiles(config, tx)),
      ]
    }),
  )
}

function examineSoldFiles(config: Config, db: Kysely<Schema>): Promise<readonly Finding[]> {
  const advice = 'restore them from a backup, or ask their teachers to upload them again'
  // While the storage cannot be reached, or is another one, nothing is known to be lost.
  const elsewhere = 'see that FILES_URL leads to the files of this shop, and what stands at storage'
  return attempt('files', elsewhere, async () => {
    const look = () =>
      usingStorage(config, async (files) => ({
        ...(await lookForSoldFiles(db, files, SAMPLE)),
        isEmpty: (await readOne(files)) === null,
      }))
    const { looked, missing, isEmpty } = await inTime(look)
    if (missing.length === 0)
      return [sound('files', `${counted(looked, 'sold document')} looked at`)]
    const gone = `missing or cut off: those of documents ${missing.join(', ')}`
    return [wrong('files', gone, isEmpty ? elsewhere : advice)]
  })
}

async function examineUpkeep(config: Config, db: Kysely<Schema>): Promise<readonly Finding[]> {
  const { waiting, givenUp } = await countMails(db)
  const { backupAt, backupWaits } = await readUpkeep(db, Date.now())
  const troubles = (await readTroubles(db)).filter(({ since }) => since !== null)
  const mails = `${waiting} wait, ${givenUp} were given up`
  const backup = backupAt ? `the last is of ${moment(backupAt)}` : 'none'
  return [
    givenUp > 0 ? wrong('mail', mails, FIX.mail) : sound('mail', mails),
    backupWaits
      ? wrong(
          'backup',
          backup,
          `run \`${backupCommandOf(config)}\` now and daily, or \`backup note\` if your host makes backups`,
        )
      : sound('backup', backup),
    ...troubles.map(({ what, since, reason }) =>
      wrong(what, `fails since ${moment(since)}: ${reason}`, FIX[what]),
    ),
  ]
}

/** Advice about troubles that the shop has noted. */
const FIX = {
  mail: '`mails` shows why; fix that, then run `mails test <e-mail>` and `mails send --all`',
  sms: 'see what the gateway says, and whether it has credit; correct SMS_*',
  gateway: 'check the gateway’s own status page, and its settings here',
  disk: 'free some space, or use a larger disk',
  storage: 'correct FILES_URL and AWS_*, mount the directory, or see what the storage says',
  proxy: TRUST,
  codes: 'nothing: registration by phone is slowed until codes come back',
} as const

async function countMails(db: Kysely<Schema>): Promise<{ waiting: number; givenUp: number }> {
  const { rows } = await sql<{ waiting: number; givenUp: number }>`
    SELECT count(*) FILTER (WHERE name = 'mail')::integer AS waiting,
      count(*) FILTER (WHERE name = 'failed_mail')::integer AS given_up
    FROM ${sql.id(SCHEMA, 'job')}
    WHERE name IN ('mail', 'failed_mail') AND state <= 'active'`.execute(db)
  return rows[0] ?? { waiting: 0, givenUp: 0 }
}
