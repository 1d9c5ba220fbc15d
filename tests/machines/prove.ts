import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readConfig } from '../../src/server/config/config.ts'
import { openDatabase } from '../../src/server/database/pool.ts'
import { openStorage } from '../../src/server/files/files.ts'
import { keyOfText } from '../../src/server/http/secret.ts'
import { startBucket } from '../support/bucket.ts'
import { factories } from '../support/factories.ts'
import { API_KEY, startKonnect, WALLET_ID } from '../support/konnect.ts'
import { smtpServer } from '../support/mail.ts'
import { readBooks } from './books.ts'
import { type Cost, measureCosts } from './costs.ts'
import { build, type Fault, faultsOf, makeNewerVersion } from './faults.ts'
import { type Load, startLoad } from './load.ts'
import { openNetwork } from './machine.ts'
import { longestGap, startProbes } from './probe.ts'
import {
  FRONT,
  openShops,
  type Secrets,
  type ShopMachine,
  secrets,
  startDatabase,
  startFront,
  until,
} from './topology.ts'

/** How often the most frequent faults happen; fewer to try it. */
export const ROUNDS = 10

const RESULTS = join(import.meta.dirname, 'RESULTS.md')
const [processor] = cpus()
const HEADER = `# Machines that fail

Written by \`npm run test:machines\`: three shops, the third behind PgBouncer, on a database of three servers
([docs/operating/several-machines.md](../../docs/operating/several-machines.md#several-machines)), each in namespaces of its own, with disks in memory. For each
fault, the longest pause of any round, and what all rounds together counted. Goals: no payment for at most 30 s, and at most
10 s after the database accepts writes; pages always; nothing older than 5 s after the pause; no 500; nothing lost or doubled,
and the ledger sound, after each round.

${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, ${cpus().length} × ${processor?.model}, shared with other work, Node ${process.version}, Patroni, etcd, HAProxy, nginx, PgBouncer and PostgreSQL 15 of Debian 12.

`

/** The goals, in milliseconds. */
const PAUSE_MAX = 30_000
const PAUSE_AFTER_DATABASE_MAX = 10_000
const STALE_MAX = 5000
const PAGE_GAP_MAX = 5000

/** Where visitors and stand-ins are. */
const OUTSIDE = '10.0.0.1'
/** The addresses of visitors: an address has a limited number of calls and registrations. */
const VISITORS = Array.from({ length: 200 }, (_, at) => `10.1.0.${at + 1}`)

/** What happened in one round of a fault; times in milliseconds. */
interface Round {
  readonly fault: string
  readonly payments: number
  /** The longest time without an acknowledged payment. */
  readonly pause: number
  /** From the moment at which the database accepted writes again to the next payment. */
  readonly afterDatabase: number
  /** The longest time without a page. */
  readonly pageGap: number
  /** For how long a page still showed an old price, once writes were back. */
  readonly stale: number
  /** Answers to pages that were not 200, and to calls that were 5xx or none. */
  readonly failedPages: number
  readonly failedCalls: number
  readonly status500: number
  readonly missed: readonly string[]
}

/** Runs the proof; resolves to the exit code. */
export async function prove({
  rounds,
  only,
  directory,
}: {
  rounds: number
  only: string
  directory: string
}): Promise<number> {
  const logs = join(directory, 'logs')
  mkdirSync(logs, { recursive: true })
  build()
  const newer = makeNewerVersion(directory)
  openNetwork([OUTSIDE, ...VISITORS])
  const mail = await smtpServer({ host: OUTSIDE })
  // A real shop accepts only a secure one; nobody opens it.
  const payUrl = 'https://konnect.example/pay'
  const konnect = await startKonnect({ host: OUTSIDE, payUrl })
  konnect.callsBackAt(`http://${FRONT}`)
  mkdirSync(join(directory, 'bucket'))
  const bucket = await startBucket(join(directory, 'bucket'), OUTSIDE)
  if (!bucket) throw new Error('npm has not installed @20minutes/s3rver')
  const place = new URL(bucket.env.FILES_URL ?? '')
  const values: Secrets = {
    ...secrets(),
    bucket: place.host + place.pathname,
    storage: place.searchParams.get('endpoint') ?? '',
    'storage key': bucket.env.AWS_ACCESS_KEY_ID ?? '',
    'storage secret': bucket.env.AWS_SECRET_ACCESS_KEY ?? '',
    'mail server': mail.url,
    'konnect key': API_KEY,
    'konnect wallet': WALLET_ID,
  }
  const say = (line: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`)

  const cluster = await startDatabase(values, logs)
  say('The database runs on three machines.')
  const more = { KONNECT_BASE_URL: konnect.env.KONNECT_BASE_URL, OFFLINE: '0' }
  const shops = await openShops({ values, more, logs })
  await startFront(values, logs)
  const [first] = shops as [ShopMachine, ...ShopMachine[]]
  const config = readConfig({ ...first.env, DATA_DIR: directory })
  const databaseUrl = config.databaseUrl ?? ''
  const database = openDatabase(databaseUrl, { size: 3 })
  const files = await openStorage(config)

  // Two at once, on an empty database.
  await Promise.all(shops.slice(0, 2).map((shop) => shop.start()))
  const made = factories({
    database,
    secret: keyOfText(values.secret ?? ''),
    dataDir: directory,
    files,
    now: Date.now,
  })
  const costs: Cost[] = []
  const measures = only === '' || only === 'costs'
  if (measures) {
    await shops[1]?.stop()
    costs.push(await measureCosts(shops.slice(0, 1), cluster, made, VISITORS))
    await shops[1]?.start()
    costs.push(await measureCosts(shops.slice(0, 2), cluster, made, VISITORS))
  }
  await shops[2]?.start()
  if (measures) costs.push(await measureCosts(shops, cluster, made, VISITORS))
  for (const cost of costs) say(JSON.stringify(cost))
  say('Three shops run.')

  const probes = startProbes(cluster.machines.map(({ address }) => cluster.superuser(address)))
  const load = await startLoad({
    url: `http://${FRONT}`,
    shops: shops.map(({ url }) => url),
    addresses: VISITORS,
    factories: made,
    konnect,
    customers: Math.max(60, rounds * 40),
  })
  const done: Round[] = []
  const faults = faultsOf(cluster, shops, { rounds, newer })
  const chosen = faults.filter(({ name }) => only.split(',').some((part) => name.includes(part)))
  try {
    await until('nobody could pay', () => load.acknowledged.purchases.size > 50)
    for (const fault of chosen) {
      for (let number = 1; number <= fault.rounds; number++) {
        const round = await oneRound(fault, load, probes.times, async () => {
          await until('the database did not become whole again', cluster.isWhole)
          return [...(await faultsInBooks(databaseUrl, load)), ...(await ledgerCheck(first))]
        })
        done.push(round)
        say(lineOf(round, number))
      }
    }
  } finally {
    await probes.stop()
    await load.end()
  }

  const memory = shops.map((shop) => shop.memory())
  await konnect.deliver()
  const missed = [
    ...done.flatMap((round) => round.missed.map((text) => `${round.fault}: ${text}`)),
    ...(await faultsInBooks(databaseUrl, load)),
    ...[...new Set(load.faults)],
    ...(await mailsMissing(load, mail.mails)),
    ...load.heard.filter(({ heard }) => heard === Number.POSITIVE_INFINITY).map(() => 'unheard'),
  ]
  const isWhole = !only && rounds === ROUNDS
  report({ done, costs, load, missed, memory, isWhole })
  await database.close()
  files.close()
  return missed.length === 0 ? 0 : 1
}

async function oneRound(
  fault: Fault,
  load: Load,
  writes: readonly number[],
  check: () => Promise<string[]>,
): Promise<Round> {
  // A quiet moment before.
  await wait(2000)
  const from = performance.now()
  const { answers, acknowledged, changes } = load
  const [answersBefore, paymentsBefore] = [answers.length, acknowledged.purchases.size]
  await fault.happen()
  const goneOn = () => {
    const paid = answers.filter(({ what, status }) => what === 'payment' && status === 200)
    const [last, before] = [paid.at(-1), paid.at(-20)]
    return (
      last !== undefined && before !== undefined && last.at - before.at < 5000 && before.at > from
    )
  }
  await until('payments did not go on', goneOn)
  await fault.mend()
  const wrong = await check()
  // Changes that were saved until now are seen.
  await wait(2000)
  const to = performance.now()

  const since = answers.slice(answersBefore)
  const timesOf = (kind: string) =>
    answers.filter(({ what, status }) => what === kind && status === 200).map(({ at }) => at)
  const pause = longestGap(timesOf('payment'), from, to)
  const databaseGap = longestGap(writes, from, to)
  // A fault of a shop leaves the database as it is.
  const isCommon = pause.from < databaseGap.to && databaseGap.from < pause.to
  // While nothing can be written, nobody knows of a change; its process may not be told of it yet.
  const stale = changes
    .filter(({ saved }) => saved > from && saved < to - 2000)
    .flatMap(({ shown }) =>
      [...shown.values()].map(({ since, at }) => at - Math.max(since, pause.to)),
    )
  const failedPages = since.filter(({ what, status }) => what === 'page' && status !== 200).length
  const failedCalls = since.filter(
    ({ what, status }) => !what.endsWith('page') && (status === 0 || status >= 500),
  ).length
  const round = {
    fault: fault.name,
    payments: acknowledged.purchases.size - paymentsBefore,
    pause: pause.ms,
    afterDatabase: isCommon ? Math.max(0, pause.to - databaseGap.to) : 0,
    pageGap: longestGap(timesOf('page'), from, to).ms,
    stale: Math.max(0, ...stale),
    failedPages,
    failedCalls,
    status500: since.filter(({ status }) => status === 500).length,
  }
  const missed = [...wrong]
  if (round.status500 > 0) missed.push(`${round.status500} answers 500`)
  if (round.pause > PAUSE_MAX) missed.push(`no payment for ${seconds(round.pause)} s`)
  if (round.afterDatabase > PAUSE_AFTER_DATABASE_MAX) {
    missed.push(`no payment for ${seconds(round.afterDatabase)} s after the database was back`)
  }
  if (round.pageGap > PAGE_GAP_MAX) missed.push(`no page for ${seconds(round.pageGap)} s`)
  if (round.stale > STALE_MAX) missed.push(`a page was ${seconds(round.stale)} s old`)
  if (!fault.mayRefuse && failedPages + failedCalls > 0) {
    missed.push(`${failedPages} pages and ${failedCalls} calls failed`)
  }
  return { ...round, missed }
}

async function faultsInBooks(databaseUrl: string, load: Load): Promise<string[]> {
  // New connections: those from before may lead to a former primary.
  const database = openDatabase(databaseUrl, { size: 1 })
  const { lost, doubled, isSound } = await readBooks(database, load)
  await database.close()
  return [
    ...lost.map((each) => `lost: ${each}`),
    ...doubled.map((each) => `doubled: ${each}`),
    ...(isSound ? [] : ['the ledger is not sound']),
  ]
}

/** The operator's own check, on a machine of the shop. */
async function ledgerCheck(shop: ShopMachine): Promise<string[]> {
  const command = shop.office('ledger', 'check')
  const [code] = await once(command.process, 'close')
  return code === 0 ? [] : [`ledger check ended with ${code}: ${command.output()}`]
}

/** Waits for the mails of all registered customers; resolves to what is missing. */
async function mailsMissing(
  { acknowledged }: Load,
  mails: readonly { headers: string }[],
): Promise<string[]> {
  const missing = () => {
    const headers = mails.map((each) => each.headers).join('\n')
    return [...acknowledged.mails].filter((email) => !headers.includes(email))
  }
  await until('mails did not arrive', () => missing().length === 0).catch(() => {})
  return missing().map((email) => `lost: the mail to ${email}`)
}

const seconds = (ms: number) => (ms / 1000).toFixed(1)

function lineOf(round: Round, number: number): string {
  return [
    `${round.fault} ${number}:`,
    `payments paused ${seconds(round.pause)} s`,
    `(${seconds(round.afterDatabase)} s after the database),`,
    `pages ${seconds(round.pageGap)} s, stale ${seconds(round.stale)} s,`,
    `${round.payments} payments, resent ${round.failedCalls}, pages refused ${round.failedPages}`,
    ...round.missed.map((text) => `\n  WRONG: ${text}`),
  ].join(' ')
}

function report({
  done,
  costs,
  load,
  missed,
  memory,
  isWhole,
}: {
  done: readonly Round[]
  costs: readonly Cost[]
  load: Load
  missed: readonly string[]
  /** The resident memory of each process at the end, in MB. */
  memory: readonly number[]
  /** Whether every fault happened as often as it should: the figures are kept. */
  isWhole: boolean
}): void {
  const names = [...new Set(done.map(({ fault }) => fault))]
  const table = names.map((name) => {
    const all = done.filter(({ fault }) => fault === name)
    const most = (of: (round: Round) => number) => seconds(Math.max(...all.map(of)))
    const sum = (of: (round: Round) => number) => all.reduce((total, round) => total + of(round), 0)
    return `| ${[
      name,
      all.length,
      most(({ pause }) => pause),
      most(({ afterDatabase }) => afterDatabase),
      most(({ pageGap }) => pageGap),
      most(({ stale }) => stale),
      sum(({ payments }) => payments),
      sum(({ failedCalls }) => failedCalls),
      sum(({ failedPages }) => failedPages),
      sum(({ status500 }) => status500),
    ].join(' | ')} |`
  })
  const costTable = costs.map(
    ({ processes, payment, paymentInDatabase, page }) =>
      `| ${processes} | ${payment.toFixed(2)} | ${paymentInDatabase.toFixed(2)} | ${page.toFixed(3)} |`,
  )
  const { purchases, topUps, messages, uploads, mails } = load.acknowledged
  const text = [
    '| fault | rounds | pause of payments (s) | after the database (s) | pages (s) | stale (s) | payments | calls sent again | pages refused | 500 |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...table,
    '',
    `Acknowledged: ${purchases.size} payments, ${topUps.size} top-ups, ${messages.size} messages, ${uploads.size} uploads, ${mails.size} registrations with their mail, ${load.changes.length} price changes, ${load.answers.filter(({ what, status }) => what === 'page' && status === 200).length} pages. Lost or doubled: ${missed.filter((each) => /lost|doubled/.test(each)).length}.`,
    '',
    '| processes | a payment, all shops (ms) | the same, all databases (ms) | a stored page (ms) |',
    '|---|---|---|---|',
    ...costTable,
    '',
    `Resident memory of the three processes at the end: ${memory.map(Math.round).join(', ')} MB.`,
    '',
  ].join('\n')
  console.log(`\n${text}`)
  for (const each of missed) console.log(`WRONG: ${each}`)
  if (isWhole) writeFileSync(RESULTS, HEADER + text)
}
