// @one-database: it starts its own.
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startEmbedded } from '../../../src/server/database/embedded.ts'
import { StartError } from '../../../src/server/database/start-error.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import {
  directoryWithCluster,
  isRoot,
  NOBODY,
  othersCanRead,
  runStatement,
  start,
  startOwner,
} from './processes.ts'

async function refusal(starting: Promise<unknown>): Promise<string> {
  const error: unknown = await starting.catch((reason) => reason)
  if (!(error instanceof StartError)) throw new Error(`not refused: ${error}`)
  expect(error.message.split('\n')).toHaveLength(1)
  return error.message
}

describe('the embedded database', () => {
  test('starts in an empty directory and keeps its rows across a restart', async () => {
    const dataDir = join(temporaryDirectory(), 'not', 'yet', 'there')
    const first = await start(dataDir)
    await runStatement(first.connection, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await first.stop()
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)

    const second = await start(dataDir)
    expect(await runStatement(second.connection, 'SELECT answer FROM kept')).toEqual([
      { answer: 42 },
    ])
  })

  test('knows Arabic letters, uses UTC, and is durable', async () => {
    const { connection } = await start(directoryWithCluster())
    await runStatement(connection, 'CREATE EXTENSION pg_trgm')
    const [settings] = await runStatement(
      connection,
      `SELECT cardinality(show_trgm('رياضيات')) > 0 AS arabic, current_setting('timezone') AS timezone,
              current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
              current_setting('listen_addresses') AS addresses, current_setting('server_encoding') AS encoding`,
    )
    expect(settings).toEqual({
      arabic: true,
      timezone: 'UTC',
      fsync: 'on',
      pages: 'on',
      addresses: '',
      encoding: 'UTF8',
    })
  })

  test('is reached only by its own user: a socket in a directory of mode 0700', async () => {
    const { connection } = await start(directoryWithCluster())
    expect(statSync(connection.host).mode & 0o777).toBe(0o700)
  })

  test('serves two shops side by side', async () => {
    const [one, two] = await Promise.all([
      start(directoryWithCluster()),
      start(directoryWithCluster()),
    ])
    await runStatement(one.connection, 'CREATE TABLE only_here ()')
    await expect(runStatement(two.connection, 'SELECT FROM only_here')).rejects.toThrow(
      'does not exist',
    )
  })

  test('starts again after an interrupted first start', async () => {
    const dataDir = temporaryDirectory()
    mkdirSync(join(dataDir, 'postgres.init', 'base'), { recursive: true })
    const { connection } = await start(dataDir)
    expect(await runStatement(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(existsSync(join(dataDir, 'postgres.init'))).toBe(false)
  })

  test.for([
    ['long', 'd'.repeat(120)],
    ['long in bytes only', 'كرّاس'.repeat(10)],
  ])('starts in a directory whose path is too %s for a socket', async ([, name]) => {
    const dataDir = join(temporaryDirectory(), name ?? '')
    const { connection } = await start(dataDir)
    expect(connection.host.startsWith(dataDir)).toBe(false)
    expect(statSync(connection.host).mode & 0o777).toBe(0o700)
    expect(await runStatement(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })
})

describe('the embedded database is refused with one line', () => {
  test('when the path is a file', async () => {
    const file = join(temporaryDirectory(), 'file')
    writeFileSync(file, '')
    expect(await refusal(startEmbedded({ dataDir: file }))).toBe(
      `DATA_DIR: ${file} is not a directory; choose another path.`,
    )
    expect(await refusal(startEmbedded({ dataDir: join(file, 'data') }))).toMatch(/not a directory/)
  })

  test.skipIf(process.platform !== 'linux')('when the directory cannot be created', async () => {
    expect(await refusal(startEmbedded({ dataDir: '/proc/karras' }))).toMatch(
      /^DATA_DIR: \/proc\/karras cannot be made or written/,
    )
  })

  test.runIf(othersCanRead)('when the user may not write', async () => {
    const dataDir = temporaryDirectory()
    const { refused } = await startOwner(dataDir, NOBODY).outcome
    expect(refused).toMatch(/^DATA_DIR: .+ cannot be made or written by this user \(EACCES\)/)
    expect(readdirSync(dataDir)).toEqual([])
  })

  test('when another major version created the data', async () => {
    const dataDir = directoryWithCluster()
    const server = await start(dataDir)
    await server.stop()
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
    expect(await refusal(startEmbedded({ dataDir }))).toMatch(
      /made by PostgreSQL 17 and this Karras carries 18/,
    )
  })

  test('when something else is in the way', async () => {
    const dataDir = temporaryDirectory()
    mkdirSync(join(dataDir, 'postgres'))
    writeFileSync(join(dataDir, 'postgres', 'notes.txt'), '')
    if (isRoot) chownSync(join(dataDir, 'postgres'), 65534, 65534)
    expect(await refusal(startEmbedded({ dataDir }))).toMatch(/not a PostgreSQL database/)
    const other = temporaryDirectory()
    writeFileSync(join(other, 'postgres'), '')
    if (isRoot) chownSync(join(other, 'postgres'), 12345, 12345)
    expect(await refusal(startEmbedded({ dataDir: other }))).toMatch(/not a PostgreSQL database/)
  })

  test('and can be started after the obstacle is gone', async () => {
    const dataDir = temporaryDirectory()
    mkdirSync(join(dataDir, 'postgres.init'))
    writeFileSync(join(dataDir, 'socket'), '')
    await refusal(startEmbedded({ dataDir }))
    rmSync(join(dataDir, 'socket'))
    expect((await start(dataDir)).pid).toBeGreaterThan(1)
  })
})
