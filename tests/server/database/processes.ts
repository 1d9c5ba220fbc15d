import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { type EmbeddedConnection, startEmbedded } from '../../../src/server/database/embedded.ts'
import { copyCluster } from '../../support/database.ts'
import { temporaryDirectory } from '../../support/directory.ts'

const OWNER = fileURLToPath(new URL('owner.ts', import.meta.url))

export const NOBODY = { uid: 65534, gid: 65534 }
export const isRoot = process.getuid?.() === 0

/** Whether an ordinary user could run this project's files, which a home under /root prevents. */
export const othersCanRead =
  isRoot &&
  spawnSync(process.execPath, ['--check', OWNER], { ...NOBODY, cwd: '/', stdio: 'ignore' })
    .status === 0

/** A temporary directory with an empty, stopped cluster in it. */
export function directoryWithCluster(): string {
  const directory = temporaryDirectory()
  copyCluster(directory)
  return directory
}

/** A process of `owner.ts` and what it has printed so far. */
export interface Owner {
  child: ChildProcess
  /** Settles with its connection, or with the line with which it was refused. */
  outcome: Promise<{ connection?: EmbeddedConnection; pid?: number; refused?: string }>
  /** The rows that it knows to be committed. */
  acknowledged: number[]
  ended: Promise<unknown>
}

/** Starts a process that owns `dataDir`; it and its server are stopped after the test. */
export function startOwner(
  dataDir: string,
  { mode = '', ...user }: { mode?: string; uid?: number; gid?: number } = {},
): Owner {
  const child = spawn(process.execPath, [OWNER, dataDir, mode], {
    ...user,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const acknowledged: number[] = []
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<Owner['outcome']>>()
  createInterface(child.stdout).on('line', (line) => {
    const said = JSON.parse(line)
    if (said.row) acknowledged.push(said.row)
    else resolve(said)
  })
  ended.then(() => reject(new Error('it ended without a word')))
  promise.catch(() => {})
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    for (const pid of processesIn(join(dataDir, 'postgres'))) kill(pid)
  })
  return { child, outcome: promise, acknowledged, ended }
}

/** The processes that work in a directory: the server's, and the shell that supervises it. */
export function processesIn(directory: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(directory)
      } catch {
        return false
      }
    })
    .map(Number)
}

/** `kill -9`; ignores a process that is already gone. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}

/** Runs one statement over a connection of its own. */
export async function runStatement(connection: EmbeddedConnection, statement: string) {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

// A cold start takes a second of CPU, and much else may run beside it.
export async function start(dataDir: string, log: (line: string) => void = () => {}) {
  const server = await startEmbedded({ dataDir, log })
  onTestFinished(() => server.stop())
  return server
}
