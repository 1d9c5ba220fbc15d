// @one-database: it kills its own.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startEmbedded } from '../../../src/server/database/embedded.ts'
import { openDatabase } from '../../../src/server/database/pool.ts'
import { DatabaseUnavailable } from '../../../src/server/database/unavailable.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import {
  directoryWithCluster,
  kill,
  type Owner,
  processesIn,
  runStatement,
  start,
  startOwner,
} from './processes.ts'

const DEADLINE = { timeout: 20_000, interval: 10 }

async function writeSome(owner: Owner): Promise<void> {
  await owner.outcome
  await vi.waitFor(() => expect(owner.acknowledged.length).toBeGreaterThan(20), DEADLINE)
}

async function expectAllOf(owner: Owner, dataDir: string): Promise<void> {
  const server = await start(dataDir)
  const rows = await runStatement(server.connection, 'SELECT id FROM rows ORDER BY id')
  const kept = new Set(rows.map(({ id }) => id))
  expect(owner.acknowledged.filter((row) => !kept.has(row))).toEqual([])
  await server.stop()
}

describe('kill -9', () => {
  test.for([
    ['node: its server stops, the next start waits for it', (_: string) => []],
    ['everything at once: the next start recovers', processesIn],
  ] as const)('of %s, and has every row', async ([, others]) => {
    const dataDir = directoryWithCluster()
    for (let round = 0; round < 2; round += 1) {
      const owner = startOwner(dataDir, { mode: '--write' })
      await writeSome(owner)
      const all = others(join(dataDir, 'postgres'))
      owner.child.kill('SIGKILL')
      for (const pid of all) kill(pid)
      await owner.ended
      await expectAllOf(owner, dataDir)
    }
  })

  test('of node alone leaves no process behind', async () => {
    const dataDir = directoryWithCluster()
    const owner = startOwner(dataDir)
    await owner.outcome
    expect(processesIn(join(dataDir, 'postgres')).length).toBeGreaterThan(3)
    owner.child.kill('SIGKILL')
    await vi.waitFor(() => expect(processesIn(join(dataDir, 'postgres'))).toEqual([]), DEADLINE)
  })

  test('of node and the shell: the next start stops the orphaned server', async () => {
    const dataDir = directoryWithCluster()
    const owner = startOwner(dataDir, { mode: '--write' })
    await writeSome(owner)
    const shells = processesIn(join(dataDir, 'postgres')).filter((pid) => nameOf(pid) === 'sh')
    expect(shells.length).toBeGreaterThan(0)
    for (const pid of shells) kill(pid)
    owner.child.kill('SIGKILL')
    await owner.ended
    await expectAllOf(owner, dataDir)
  })
})

describe('a second process on the same directory', () => {
  test('is refused with one line while the first one continues', async () => {
    const dataDir = directoryWithCluster()
    const server = await start(dataDir)
    const { refused } = await startOwner(dataDir).outcome
    expect(refused).toBe(
      `DATA_DIR: ${dataDir} is in use by another running Karras (process ${process.pid}); stop it, or give this one its own DATA_DIR.`,
    )
    expect(await runStatement(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('is refused in the same process, too', async () => {
    const dataDir = directoryWithCluster()
    await start(dataDir)
    await expect(startEmbedded({ dataDir })).rejects.toThrow('in use by another running Karras')
    // The refused attempt must not have released the first one's lock.
    const { refused } = await startOwner(dataDir).outcome
    expect(refused).toMatch('in use by another running Karras')
  })

  test.for(['an empty', 'a filled'])(
    'that starts at the same moment on %s one: one wins',
    async (kind) => {
      const dataDir = kind === 'a filled' ? directoryWithCluster() : temporaryDirectory()
      const owners = [1, 2, 3].map(() => startOwner(dataDir))
      const outcomes = await Promise.all(owners.map(({ outcome }) => outcome))
      const [winner, ...others] = outcomes.filter(({ connection }) => connection)
      expect(others).toEqual([])
      expect(outcomes.filter(({ refused }) => refused?.includes('in use'))).toHaveLength(2)
      if (!winner?.connection) throw new Error('nobody won')
      expect(await runStatement(winner.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    },
  )

  test('gets the directory after the first has stopped', async () => {
    const dataDir = directoryWithCluster()
    const server = await start(dataDir)
    await server.stop()
    expect((await startOwner(dataDir).outcome).pid).toBeGreaterThan(1)
  })
})

describe('while it runs', () => {
  test('a killed server comes back, and the pool with it', async () => {
    const server = await start(directoryWithCluster())
    const database = openDatabase(server.connection)
    onTestFinished(() => database.close())
    const one = () => sql<{ one: number }>`SELECT 1 AS one`.execute(database.kysely)
    await one()

    const before = server.pid
    const cutOff = sql`SELECT pg_sleep(30)`.execute(database.kysely)
    const cut = expect(cutOff).rejects.toThrow(DatabaseUnavailable)
    kill(before)
    await cut

    await vi.waitFor(one, DEADLINE)
    expect(server.pid).not.toBe(before)
  })

  test('a killed shell does not take the database down for good', async () => {
    const dataDir = directoryWithCluster()
    const server = await start(dataDir)
    const before = server.pid
    for (const pid of processesIn(join(dataDir, 'postgres'))) if (nameOf(pid) === 'sh') kill(pid)
    await vi.waitFor(() => expect(server.pid).not.toBe(before), DEADLINE)
    await vi.waitFor(() => runStatement(server.connection, 'SELECT 1'), DEADLINE)
  })

  test('it can be stopped while it is restarting', async () => {
    const dataDir = directoryWithCluster()
    const lines: string[] = []
    const server = await start(dataDir, (line) => lines.push(line))
    kill(server.pid)
    await vi.waitFor(() => expect(lines.join('\n')).toMatch('ended by itself'), DEADLINE)
    await server.stop()
    expect(processesIn(join(dataDir, 'postgres'))).toEqual([])
  })
})

describe('a stale postmaster.pid', () => {
  test('that names the pid of another process does not keep it from starting', async () => {
    const dataDir = directoryWithCluster()
    const owner = startOwner(dataDir)
    await owner.outcome
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
    const left = readFileSync(pidFile, 'utf8')
    const all = processesIn(join(dataDir, 'postgres'))
    owner.child.kill('SIGKILL')
    for (const pid of all) kill(pid)
    // Its lock goes with it, so the process has to be gone.
    await owner.ended
    await vi.waitFor(() => expect(processesIn(join(dataDir, 'postgres'))).toEqual([]), DEADLINE)

    writeFileSync(pidFile, left.replace(/^\d+/, `${process.pid}`))
    expect((await start(dataDir)).pid).not.toBe(process.pid)
  })
})

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}
