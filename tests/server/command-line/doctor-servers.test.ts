// @one-database: the servers here are the embedded ones.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { findPackage, prepareBinaries } from '../../../src/server/database/binaries.ts'
import { startEmbedded } from '../../../src/server/database/embedded.ts'
import { migrate } from '../../../src/server/database/migrate.ts'
import { openDatabase } from '../../../src/server/database/pool.ts'
import { installJobs } from '../../../src/server/jobs/queues.ts'
import { aDatabase, copyCluster, runStatement } from '../../support/database.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { runOperator } from '../../support/operator.ts'
import { PATIENCE } from '../../support/patience.ts'
import { hasPgbouncer, pgbouncerTo } from '../../support/pgbouncer.ts'

interface Finding {
  readonly check: string
  readonly found: string
  readonly advice?: string
}

/** What the doctor finds of the database and of its server. */
async function examine(databaseUrl: string, more: Record<string, string> = {}) {
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: temporaryDirectory(), ...more }
  const findings: Finding[] = (await runOperator(['doctor', '--json'], env)).json().findings
  const examined = ['database', 'limits', 'listening', 'replication']
  return {
    wrong: findings.filter(({ check, advice }) => advice && examined.includes(check)),
    foundOf: (wanted: string) => findings.find(({ check }) => check === wanted)?.found,
  }
}

const LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']

describe.skipIf(!hasPgbouncer())('PgBouncer in transaction mode (skipped without Debian’s)', () => {
  test('that refuses the limits with which the shop connects', async () => {
    const { url } = await aDatabase()
    const { wrong } = await examine(await pgbouncerTo(url, ['extra_float_digits']))
    expect(wrong).toEqual([
      {
        check: 'database',
        found: expect.stringContaining('unsupported startup parameter: statement_timeout'),
        advice: expect.stringMatching(/^have the pooler ignore the shop’s limits/),
      },
    ])
  })

  test('that drops them, and lets nothing be heard', async () => {
    const { url, database } = await aDatabase()
    expect((await examine(await pgbouncerTo(url, LIMITS))).wrong).toEqual([
      {
        check: 'limits',
        found: `a pooler drops ${LIMITS.join(', ')}`,
        advice: expect.stringMatching(/^give them to the role by ALTER ROLE/),
      },
      {
        check: 'listening',
        found: expect.stringMatching(/^DATABASE_URL: .*nothing was heard/),
        advice: expect.stringMatching(/^set DATABASE_LISTEN_URL to the server itself/),
      },
    ])
    // As the guide advises. The server of the tests has one role, so its database has the limits.
    const name = new URL(url).pathname.slice(1)
    for (const limit of LIMITS) {
      await database.pool.query(`ALTER DATABASE ${name} SET ${limit} = '10s'`)
    }
    const advised = await pgbouncerTo(url, LIMITS)
    expect((await examine(advised, { DATABASE_LISTEN_URL: url })).wrong).toEqual([])
  })
})

describe('standbys', () => {
  const dataDir = temporaryDirectory()
  let primary = ''
  let host = ''

  beforeAll(async () => {
    copyCluster(dataDir)
    const server = await startEmbedded({
      dataDir,
      // A standby begins where the empty cluster ends.
      settings: { fsync: 'off', wal_keep_size: '1GB' },
    })
    host = server.connection.host
    primary = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(host)}`
    appendFileSync(join(dataDir, 'postgres/pg_hba.conf'), 'local replication postgres trust\n')
    await runStatement(primary, 'SELECT pg_reload_conf()')
    await migrate(primary)
    const database = openDatabase(primary)
    await installJobs(database)
    await database.close()
    return () => server.stop()
  })

  const standbys = async () =>
    (await runStatement(primary, 'SELECT sync_state FROM pg_stat_replication')).rows

  /** Starts a standby that follows; it is called `standby`, and stops when the test is over. */
  async function aStandby() {
    const home = temporaryDirectory()
    copyCluster(home)
    const cluster = join(home, 'postgres')
    const { uid, gid } = statSync(cluster)
    const user = process.getuid?.() === 0 ? { uid, gid } : undefined
    writeFileSync(join(cluster, 'standby.signal'), '')
    const settings = {
      primary_conninfo: `host=${host} user=postgres application_name=standby`,
      wal_retrieve_retry_interval: '100ms',
      unix_socket_directories: cluster,
      listen_addresses: '',
      fsync: 'off',
    }
    const { bin } = prepareBinaries(findPackage(), user, home)
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const server = spawn(join(bin, 'postgres'), ['-D', cluster, ...flags], {
      ...user,
      cwd: cluster,
      stdio: 'ignore',
    })
    const stop = async () => {
      if (server.exitCode === null && server.kill('SIGINT')) await once(server, 'exit')
    }
    onTestFinished(stop)
    const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(cluster)}`
    await vi.waitFor(async () => {
      expect(server.exitCode).toBeNull()
      expect(await standbys()).toHaveLength(1)
      await runStatement(url, 'SELECT FROM kysely_migration')
    }, PATIENCE)
    return { url, stop }
  }

  async function setSynchronous(names: string): Promise<void> {
    await runStatement(primary, `ALTER SYSTEM SET synchronous_standby_names = '${names}'`)
    await runStatement(primary, 'SELECT pg_reload_conf()')
    await vi.waitFor(async () => {
      const { rows } = await runStatement(primary, 'SHOW synchronous_standby_names')
      expect(rows).toEqual([{ synchronous_standby_names: names }])
    }, PATIENCE)
  }

  test('none, one that follows, and the standby itself', async () => {
    const alone = await examine(primary)
    expect(alone.wrong).toEqual([])
    expect(alone.foundOf('replication')).toBe('no standby is connected')
    const { url } = await aStandby()
    const followed = await examine(primary)
    expect(followed.wrong).toEqual([])
    expect(followed.foundOf('replication')).toMatch(/^1 standby, 0 of them synchronous/)
    expect((await examine(url)).wrong).toEqual([
      {
        check: 'replication',
        found: 'this server is a standby, which only reads',
        advice: 'give the address of the primary, or those of all servers',
      },
    ])
  })

  test('the one for which payments wait is not there', async () => {
    const missing = {
      check: 'replication',
      advice: expect.stringMatching(/^connect the one that synchronous_standby_names names/),
    }
    const standby = await aStandby()
    onTestFinished(() => setSynchronous(''))
    await setSynchronous('another')
    expect((await examine(primary)).wrong).toEqual([
      { ...missing, found: expect.stringMatching(/^1 standby, 0 of them synchronous/) },
    ])
    await setSynchronous('standby')
    await vi.waitFor(
      async () => expect(await standbys()).toEqual([{ sync_state: 'sync' }]),
      PATIENCE,
    )
    const right = await examine(primary)
    expect(right.wrong).toEqual([])
    expect(right.foundOf('replication')).toMatch(/^1 standby, 1 of them synchronous/)
    await standby.stop()
    expect((await examine(primary)).wrong).toEqual([
      { ...missing, found: 'no standby is connected' },
    ])
  })

  test('one that is more than a minute behind', async () => {
    const { url, database } = await aDatabase()
    const name = new URL(url).pathname.slice(1)
    // A real one would need that minute: the doctor reads this view in place of the server's.
    await database.pool.query(`
      CREATE VIEW pg_stat_replication AS
        SELECT 'async' AS sync_state, interval '61 seconds' AS replay_lag;
      ALTER DATABASE ${name} SET search_path = public, pg_catalog`)
    expect((await examine(url)).wrong).toEqual([
      {
        check: 'replication',
        found: '1 standby, 0 of them synchronous, 61.0 s behind',
        advice: 'see why the standby does not follow (its log, network and disk)',
      },
    ])
  })
})
