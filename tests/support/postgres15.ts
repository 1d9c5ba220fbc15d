/**
 * Runs a command beside a temporary PostgreSQL 15, the oldest supported version, from Debian's
 * packages: `node tests/support/postgres15.ts -- npx vitest run tests/server`. Needs root on
 * Debian, to install it where it is missing. The command finds it in `DATABASE_URL`.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { preferMemoryDisk } from './memory-disk.ts'

const BIN = '/usr/lib/postgresql/15/bin'
const NOBODY = { uid: 65534, gid: 65534 }
const USER = 'karras'

preferMemoryDisk()
const command = process.argv.slice(process.argv[2] === '--' ? 3 : 2)
process.exitCode = await main(command)

async function main([program, ...args]: string[]): Promise<number> {
  if (!program) return complain('usage: node tests/support/postgres15.ts -- <command …>')
  if (process.getuid?.() !== 0) return complain('this needs root, to run PostgreSQL 15 as nobody')
  if (!existsSync(join(BIN, 'postgres'))) install()

  const home = mkdtempSync(join(tmpdir(), 'karras-pg15-'))
  const password = randomBytes(12).toString('hex')
  try {
    makeCluster(home, password)
    const { server, port } = await start(home)
    try {
      const url = `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`
      return await run(program, args, { ...process.env, DATABASE_URL: url })
    } finally {
      // A fast shutdown: remaining connections are cut.
      server.kill('SIGINT')
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

function complain(text: string): number {
  console.error(text)
  return 2
}

function install(): void {
  if (!existsSync('/usr/bin/apt-get')) {
    throw new Error(`there is no PostgreSQL 15 in ${BIN} and no apt-get to install it`)
  }
  const apt = (...args: string[]) =>
    execFileSync('apt-get', args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  // Debian's package would create a cluster of its own and start it.
  mkdirSync('/etc/postgresql-common/createcluster.d', { recursive: true })
  writeFileSync(
    '/etc/postgresql-common/createcluster.d/karras.conf',
    'create_main_cluster = false\n',
  )
  apt('update')
  apt('install', '--yes', '--no-install-recommends', 'postgresql-15')
}

function makeCluster(home: string, password: string): void {
  chmodSync(home, 0o700)
  chownSync(home, NOBODY.uid, NOBODY.gid)
  writeFileSync(join(home, 'password'), password, { mode: 0o644 })
  execFileSync(
    join(BIN, 'initdb'),
    [
      ...['--pgdata', join(home, 'data'), '--username', USER],
      ...['--auth', 'scram-sha-256', '--pwfile', join(home, 'password')],
      ...['--encoding', 'UTF8', '--locale', 'C.UTF-8', '--no-sync'],
    ],
    { ...NOBODY, cwd: home, stdio: ['ignore', 'ignore', 'inherit'] },
  )
}

async function start(home: string): Promise<{ server: ChildProcess; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort()
    const server = await startOn(home, port)
    if (server) return { server, port }
    // Another process took the port between our check and the server's.
    if (attempt === 5) throw new Error('PostgreSQL 15 did not start on any of five ports')
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (!address || typeof address === 'string') throw new Error('no port')
  return address.port
}

async function startOn(home: string, port: number): Promise<ChildProcess | undefined> {
  const settings = {
    listen_addresses: '127.0.0.1',
    port: `${port}`,
    unix_socket_directories: '',
    max_connections: '200',
    fsync: 'off',
    full_page_writes: 'off',
    // Plans as a statement's sixth use on a connection may have them: without its parameters.
    plan_cache_mode: 'force_generic_plan',
  }
  const server = spawn(
    join(BIN, 'postgres'),
    [
      '-D',
      join(home, 'data'),
      ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`]),
    ],
    { ...NOBODY, cwd: home, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  return await new Promise((done, failed) => {
    let said = ''
    createInterface(server.stderr).on('line', (line) => {
      said += `${line}\n`
      if (line.endsWith('database system is ready to accept connections')) done(server)
    })
    server.once('error', failed)
    server.once('close', () => {
      if (said.includes('Address already in use')) done(undefined)
      else failed(new Error(`PostgreSQL 15 did not start:\n${said}`))
    })
  })
}

async function run(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(program, args, { env, stdio: 'inherit' })
  const forward = (signal: NodeJS.Signals) => child.kill(signal)
  process.on('SIGINT', forward).on('SIGTERM', forward)
  const [code] = await once(child, 'exit')
  return code ?? 1
}
