import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import pg from 'pg'
import { type Machine, openMachine, type Program } from './machine.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const FILES = join(ROOT, 'docs/several-machines')
export const FRONT = '10.0.0.2'
const DATABASE_MACHINES = { db1: '10.0.0.31', db2: '10.0.0.32', db3: '10.0.0.33' }
const SHOP_MACHINES = { shop1: '10.0.0.21', shop2: '10.0.0.22', shop3: '10.0.0.23' }
/** How long a part may take to get ready, in milliseconds. */
const PATIENCE_MS = 120_000

/** What the placeholders in the files stand for, beside `<name>` and `<address>`. */
export type Secrets = Readonly<Record<string, string>>

/** Made-up passwords. */
export function secrets(): Secrets {
  const names = ['superuser', 'replication', 'patroni', 'database'].map((who) => `${who} password`)
  return Object.fromEntries(
    [...names, 'secret'].map((name) => [name, randomBytes(32).toString('hex')]),
  )
}

/** A file of docs/several-machines with its placeholders filled in; throws if one is left. */
function filled(name: string, values: Secrets): string {
  const text = readFileSync(join(FILES, name), 'utf8')
  // Comments explain placeholders.
  const isComment = (line: string) => /^[#;]/.test(line)
  return text
    .split('\n')
    .filter((line) => !isComment(line))
    .join('\n')
    .replace(/<([a-z ]+)>/g, (_, placeholder: string) => {
      const value = values[placeholder]
      if (value === undefined) throw new Error(`${name}: nothing is given for <${placeholder}>`)
      return value
    })
}

const settings = (name: string, values: Secrets) =>
  parseEnv(filled(name, values)) as Record<string, string>

/** Asks until the answer is true. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    if (await isSo()) return
    if (performance.now() > deadline) throw new Error(`In two minutes, ${what}.`)
    await wait(200)
  }
}

/** Whether a shop sends pages. */
async function isReady(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(2000)
  const answer = await fetch(`${url}/readyz`, { signal }).catch(() => null)
  return answer?.status === 200
}

async function json(url: string, init: RequestInit = {}): Promise<unknown> {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(2000) })
  return answer.json()
}

interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
  readonly lag?: number | string
}

export type DatabaseCluster = Awaited<ReturnType<typeof startDatabase>>

/** Starts etcd and Patroni on three machines, and creates the shop's role and database. */
export async function startDatabase(values: Secrets, logs: string) {
  const machines = await Promise.all(
    Object.entries(DATABASE_MACHINES).map(([name, address]) => openMachine(name, address, logs)),
  )
  const patroniFile = shared(logs, 'patroni.yml', filled('patroni.yml', values))

  const start = (machine: Machine) => {
    const env = settings('database.env', {
      ...values,
      name: machine.name,
      address: machine.address,
    })
    machine.run('mkdir', '-p', '/run/postgresql', '/var/lib/etcd')
    machine.run('chown', 'postgres:', '/run/postgresql', '/var/lib/etcd', '/var/lib/postgresql')
    machine.start('etcd', [], { env, user: 'postgres' })
    machine.start('patroni', [patroniFile], { env, user: 'postgres' })
  }
  for (const machine of machines) start(machine)

  const members = async (): Promise<readonly Member[]> => {
    const asked = machines.map(({ address }) => json(`http://${address}:8008/cluster`))
    const answers = (await Promise.allSettled(asked)).flatMap((answer) =>
      answer.status === 'fulfilled' ? [(answer.value as { members: Member[] }).members] : [],
    )
    return answers[0] ?? []
  }
  const primary = async (): Promise<Machine | undefined> => {
    const asked = machines.map(async (machine) => {
      const answer = await fetch(`http://${machine.address}:8008/primary`, {
        signal: AbortSignal.timeout(1000),
      })
      if (answer.status !== 200) throw new Error('a standby')
      return machine
    })
    return Promise.any(asked).catch(() => undefined)
  }
  /** Whether all three run, and one of the standbys is synchronous. */
  const isWhole = async () => {
    const all = await members()
    const isRunning = ({ state }: Member) => state === 'running' || state === 'streaming'
    const has = (role: string) => all.some((member) => member.role === role)
    return all.length === 3 && all.every(isRunning) && has('leader') && has('sync_standby')
  }
  await until('the database did not start', isWhole)

  const superuser = (address: string, database = 'postgres') =>
    `postgres://postgres:${values['superuser password']}@${address}:5432/${database}`
  const first = (await primary()) as Machine
  for (const statement of [
    `CREATE ROLE karras LOGIN PASSWORD '${values['database password']}'`,
    "CREATE DATABASE karras OWNER karras TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'",
    // What PgBouncer loses of the shop's own limits.
    "ALTER ROLE karras SET statement_timeout = '10s'",
    "ALTER ROLE karras SET lock_timeout = '5s'",
    "ALTER ROLE karras SET idle_in_transaction_session_timeout = '15s'",
    'CREATE TABLE probe (at timestamptz)',
  ]) {
    const client = new pg.Client(superuser(first.address))
    await client.connect()
    await client.query(statement)
    await client.end()
  }

  return {
    machines,
    members,
    primary,
    isWhole,
    start,
    superuser,
    /** Asks Patroni to make another machine the primary. */
    async switchOver(leader: Machine): Promise<void> {
      const authorization = `Basic ${Buffer.from(`patroni:${values['patroni password']}`).toString('base64')}`
      const answer = await fetch(`http://${leader.address}:8008/switchover`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ leader: leader.name }),
        signal: AbortSignal.timeout(60_000),
      })
      if (!answer.ok) throw new Error(`no switchover: ${answer.status} ${await answer.text()}`)
    },
  }
}

/** Starts nginx and HAProxy. */
export async function startFront(values: Secrets, logs: string): Promise<Machine> {
  const front = await openMachine('front', FRONT, logs)
  front.run('mkdir', '-p', '/var/log/nginx', '/run/haproxy')
  // The away pages are beside the build.
  const haproxy = filled('haproxy.cfg', values).replaceAll(
    '/etc/haproxy/',
    `${join(ROOT, 'dist')}/`,
  )
  front.start('haproxy', ['-f', shared(logs, 'haproxy.cfg', haproxy)])
  front.start('nginx', [
    '-c',
    shared(logs, 'nginx.conf', filled('nginx.conf', values)),
    '-g',
    'daemon off;',
  ])
  const answered = async (url: string) => (await fetch(url).catch(() => null)) !== null
  await until('nginx did not start', () => answered(`http://${FRONT}/`))
  return front
}

interface ShopOptions {
  readonly values: Secrets
  /** Settings that the file leaves out. */
  readonly more: Readonly<Record<string, string>>
  readonly logs: string
}

export type ShopMachine = Awaited<ReturnType<typeof openShop>>

/** A machine with a shop, not started yet; one of them has PgBouncer. */
async function openShop(
  name: string,
  address: string,
  { values, more, logs, hasPooler }: ShopOptions & { hasPooler: boolean },
) {
  const machine = await openMachine(name, address, logs)
  const env: Record<string, string> = {
    ...settings('karras.env', { ...values, name, address }),
    ...more,
  }
  if (hasPooler) {
    env.DATABASE_LISTEN_URL = env.DATABASE_URL ?? ''
    env.DATABASE_URL = `postgresql://karras:${values['database password']}@127.0.0.1:6432/karras`
    const userlist = shared(logs, 'userlist.txt', `"karras" "${values['database password']}"\n`)
    machine.run('cp', userlist, '/etc/pgbouncer/userlist.txt')
    const file = shared(logs, 'pgbouncer.ini', filled('pgbouncer.ini', values))
    machine.start('pgbouncer', [file], { user: 'postgres' })
  }
  let program: Program | undefined
  return {
    machine,
    name,
    env,
    hasPooler,
    url: `http://${address}:4321`,
    output: () => program?.output() ?? '',
    /** Starts the shop of a checkout as `npm start` does. */
    async start(root = ROOT): Promise<void> {
      const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
      const started = machine.start('sh', ['-c', scripts.start], { env, cwd: root })
      program = started
      await until(`${name} did not open: ${started.output().slice(-2000)}`, async () => {
        if (started.process.exitCode !== null) {
          throw new Error(`${name} ended:\n${started.output().slice(-2000)}`)
        }
        return isReady(`http://${address}:4321`)
      })
    },
    stop: async () => program?.stop(),
    async kill() {
      const child = program?.process
      child?.kill('SIGKILL')
      await until(`${name} did not end`, () => child?.signalCode !== null)
    },
    /** The processor time of the shop's process and its threads, in seconds. */
    processorTime: () => machine.processorTime(),
    /** The resident memory of the shop's process, in megabytes. */
    memory: () => memoryOf(program?.process.pid),
    /** Runs a command of the office on this machine. */
    office: (...args: string[]) =>
      machine.start(process.execPath, ['src/server/command-line/main.ts', ...args], {
        env,
        cwd: ROOT,
      }),
  }
}

/** Three machines, the third with PgBouncer. */
export function openShops(options: ShopOptions): Promise<ShopMachine[]> {
  return Promise.all(
    Object.entries(SHOP_MACHINES).map(([name, address], at) =>
      openShop(name, address, { ...options, hasPooler: at === 2 }),
    ),
  )
}

function memoryOf(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1]) / 1024
}

/** Writes a file where every machine's programs, which run as other users, can read it. */
function shared(directory: string, name: string, text: string): string {
  mkdirSync(directory, { recursive: true })
  const path = join(directory, name)
  writeFileSync(path, text)
  chmodSync(path, 0o644)
  return path
}
