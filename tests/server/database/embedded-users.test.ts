// @one-database: it starts its own.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../../support/directory.ts'
import {
  directoryWithCluster,
  NOBODY,
  othersCanRead,
  runStatement,
  start,
  startOwner,
} from './processes.ts'

describe.runIf(othersCanRead)('users (needs root and a project others may read)', () => {
  test('root runs the server as a user that nothing else runs as, the same at every start', async () => {
    const dataDir = temporaryDirectory()
    const first = await start(dataDir)
    const { uid } = statSync(`/proc/${first.pid}`)
    expect([0, NOBODY.uid]).not.toContain(uid)
    expect(readFileSync('/etc/passwd', 'utf8')).not.toMatch(new RegExp(`^[^:]*:[^:]*:${uid}:`, 'm'))
    await first.stop()
    const second = await start(dataDir)
    expect(statSync(`/proc/${second.pid}`).uid).toBe(uid)
    expect(ownersIn(join(dataDir, 'postgres'))).toEqual([uid])
  })

  test('nobody else is let in, even where the socket can be reached', async () => {
    const { connection } = await start(directoryWithCluster())
    expect(tryAs(NOBODY, connection.host)).toMatch(/EACCES/)
    chmodSync(connection.host, 0o777)
    chmodSync(join(connection.host, '.s.PGSQL.5432'), 0o777)
    for (const user of [NOBODY, { uid: 12345, gid: 12345 }]) {
      expect(tryAs(user, connection.host)).toMatch(/28000|authentication failed|local user/)
    }
    expect(await runStatement(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('a database that ran as nobody is taken over, also after an interruption', async () => {
    const dataDir = temporaryDirectory()
    const first = await start(dataDir)
    await runStatement(first.connection, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await first.stop()
    const cluster = join(dataDir, 'postgres')
    const { uid } = statSync(cluster)
    const asBefore = (paths: string[]) => {
      for (const path of paths) lchownSync(path, NOBODY.uid, NOBODY.gid)
    }
    const all = [
      cluster,
      ...readdirSync(cluster, { recursive: true }).map((name) => join(cluster, `${name}`)),
    ]
    asBefore(all)
    // As before: everybody who reaches the socket is let in.
    writeFileSync(join(cluster, 'pg_hba.conf'), 'local all all trust\n')
    mkdirSync(join(dataDir, 'socket'), { mode: 0o700 })
    chownSync(join(dataDir, 'socket'), NOBODY.uid, NOBODY.gid)
    const second = await start(dataDir)
    expect(await runStatement(second.connection, 'SELECT answer FROM kept')).toEqual([
      { answer: 42 },
    ])
    expect(statSync(`/proc/${second.pid}`).uid).toBe(uid)
    chmodSync(second.connection.host, 0o777)
    chmodSync(join(second.connection.host, '.s.PGSQL.5432'), 0o777)
    expect(tryAs(NOBODY, second.connection.host)).toMatch(/28000|authentication failed/)
    await second.stop()
    expect(ownersIn(cluster)).toEqual([uid])

    // Killed half-way: some files have a new owner, the directory is root's.
    asBefore(all.filter((path, at) => at % 2 === 1 && existsSync(path)))
    chownSync(cluster, 0, 0)
    const third = await start(dataDir)
    expect(await runStatement(third.connection, 'SELECT answer FROM kept')).toEqual([
      { answer: 42 },
    ])
    expect(ownersIn(cluster)).toEqual([uid])
  })

  test('files of root in a database that is taken over stay root’s', async () => {
    const dataDir = temporaryDirectory()
    await (await start(dataDir)).stop()
    const cluster = join(dataDir, 'postgres')
    const secret = join(dataDir, 'of-root')
    writeFileSync(secret, 'x', { mode: 0o600 })
    linkSync(secret, join(cluster, 'planted'))
    chownSync(cluster, NOBODY.uid, NOBODY.gid)
    await start(dataDir)
    expect(statSync(secret).uid).toBe(0)
  })

  test('root starts it below a directory that is closed to others', async () => {
    const closed = join(temporaryDirectory(), 'closed')
    mkdirSync(closed, { mode: 0o700 })
    const dataDir = join(closed, 'data')
    const first = await start(dataDir)
    await runStatement(first.connection, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await first.stop()
    const second = await start(dataDir)
    expect(await runStatement(second.connection, 'SELECT answer FROM kept')).toEqual([
      { answer: 42 },
    ])
  })

  test('an ordinary user runs it, and root continues with that user’s data', async () => {
    const dataDir = temporaryDirectory()
    const user = { uid: 12345, gid: 12345 }
    chownSync(dataDir, NOBODY.uid, NOBODY.gid)
    const owner = startOwner(dataDir, NOBODY)
    const { connection, pid } = await owner.outcome
    if (!connection || !pid) throw new Error('it did not start')
    expect(statSync(`/proc/${pid}`).uid).toBe(NOBODY.uid)
    expect(await runStatement(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    owner.child.kill('SIGTERM')
    await owner.ended

    expect((await start(dataDir)).pid).toBeGreaterThan(1)
    const { refused } = await startOwner(dataDir, user).outcome
    expect(refused).toMatch(/^DATA_DIR: .+ written by this user/)
  })
})

/** The owners of a directory and of everything in it. */
function ownersIn(directory: string): number[] {
  const names = readdirSync(directory, { recursive: true }).map((name) =>
    join(directory, `${name}`),
  )
  return [...new Set([directory, ...names].map((path) => statSync(path).uid))]
}

/** The server's response to another user who connects to the socket in a directory. */
function tryAs(user: { uid: number; gid: number }, host: string): string {
  const program = `
    import pg from ${JSON.stringify(import.meta.resolve('pg'))}
    const client = new pg.Client({ host: process.argv[1], user: 'postgres', database: 'postgres' })
    await client.connect().then(() => console.log('let in'), (error) => console.log(error.code, error.message))
    process.exit()`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program, host],
    { ...user, cwd: '/', encoding: 'utf8' },
  )
  return stdout + stderr
}
