import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { percentile } from '../support/quantiles.ts'
import { type ShopProcess, spawnShop } from '../support/shop-process.ts'
import { startAttack } from './attackers.ts'
import { type Call, logInCall, PASSWORD, registerAt, topUp } from './calls.ts'

const KINDS = ['log-in', 'page', 'payment'] as const
type Kind = (typeof KINDS)[number]

/** How long customers waited for each response by what they did (ms), and who was not served. */
interface Waits {
  readonly times: Readonly<Record<Kind, readonly number[]>>
  /** How many requests were not answered with 200, by what they were and their status. */
  readonly refused: Readonly<Record<string, number>>
}

/** What customers noticed of an attack. */
export interface Comparison {
  readonly quiet: Waits
  readonly attacked: Waits
  /** The answers that the attack got, by status. */
  readonly answers: Readonly<Record<string, number>>
}

export interface Trial {
  /** How long to measure without the attack, and with it. */
  readonly seconds: number
  readonly customers?: number
  /** The checkout whose shop is attacked; this one by default. */
  readonly root?: string
  /** Copies a demo shop into an empty directory; without it the shop fills itself. */
  readonly fill?: (dataDir: string) => Promise<void>
}

/** Between two requests of a customer, in milliseconds. */
const PAUSE = 100
/** What a customer does again and again. A log-in is rare beside what follows it. */
const DAY: readonly Kind[] = ['log-in', 'page', 'payment', 'page', 'payment', 'page']
const PAGES = ['/', '/shop', '/fr/shop-details/7', '/shop-details/3']

/**
 * Starts a demo shop and measures how long customers, each with an account and an address of their
 * own, wait before an attack and during it. `after` runs against the attacked shop.
 */
export async function whileAttacked<Result>(
  attack: string,
  { seconds, customers = 8, root, fill }: Trial,
  around: {
    before?: (shop: ShopProcess) => Promise<void>
    after: (shop: ShopProcess) => Promise<Result>
  },
): Promise<Comparison & { after: Result }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'karras-attack-'))
  await fill?.(dataDir)
  const env = { DATA_DIR: dataDir, DEMO: '1', CHAT_MAIL: '0' }
  const shop = await spawnShop(env, root === undefined ? {} : { root })
  try {
    if (!fill) await shop.says(/^Rendered \d+ pages/m)
    const people: Person[] = []
    for (let at = 0; at < customers; at++) {
      const address = `203.0.113.${at + 1}`
      people.push({ address, email: await registerAt(shop.url, address) })
    }
    await serve(shop.url, people, Math.min(2, seconds))
    const quiet = await serve(shop.url, people, seconds)
    await around.before?.(shop)
    const under = startAttack(attack, shop.url, seconds + 1)
    await under.firstOutput
    const attacked = await serve(shop.url, people, seconds)
    const answers = await under.ended
    return { quiet, attacked, answers, after: await around.after(shop) }
  } finally {
    await shop.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Prints what customers noticed, one row for each kind of request. */
export function printComparison({ quiet, attacked, answers }: Comparison): void {
  const at = (waits: Waits, kind: Kind, share: number) =>
    Number(percentile(waits.times[kind], share).toFixed(1))
  console.table(
    KINDS.map((kind) => ({
      'requests of others': kind,
      'quiet p50 ms': at(quiet, kind, 0.5),
      'attacked p50 ms': at(attacked, kind, 0.5),
      'quiet p95 ms': at(quiet, kind, 0.95),
      'attacked p95 ms': at(attacked, kind, 0.95),
      'p95 ratio': Number((at(attacked, kind, 0.95) / at(quiet, kind, 0.95)).toFixed(1)),
      count: attacked.times[kind].length,
    })),
  )
  console.log('not served:', JSON.stringify(attacked.refused), 'attack:', JSON.stringify(answers))
}

interface Person {
  readonly address: string
  readonly email: string
}

async function serve(url: string, people: readonly Person[], seconds: number): Promise<Waits> {
  const times: Record<Kind, number[]> = { 'log-in': [], page: [], payment: [] }
  const refused: Record<string, number> = {}
  const until = performance.now() + seconds * 1000
  const keepBuying = async ({ address, email }: Person, at: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    let token = ''
    // Each has at least logged in once, however slow the machine is.
    for (let step = 0; step === 0 || performance.now() < until; step++) {
      const kind = DAY[step % DAY.length] ?? 'page'
      const call: Call =
        kind === 'log-in'
          ? logInCall(email, PASSWORD)
          : kind === 'payment'
            ? topUp(token)
            : { path: PAGES[(at + step) % PAGES.length] ?? '/' }
      const startedAt = performance.now()
      const { status, text } = await send(agent, url, address, call)
      times[kind].push(performance.now() - startedAt)
      if (status !== 200) refused[`${kind} ${status}`] = (refused[`${kind} ${status}`] ?? 0) + 1
      else if (kind === 'log-in') token = JSON.parse(text).accessToken
      await wait(PAUSE)
    }
    agent.destroy()
  }
  await Promise.all(people.map(keepBuying))
  return { times, refused }
}

function send(agent: Agent, url: string, address: string, { path, method, body, headers }: Call) {
  return new Promise<{ status: number; text: string }>((resolve) => {
    const lost = () => resolve({ status: 0, text: '' })
    const all = { 'x-forwarded-for': address, ...headers }
    const sent = request(url + path, { agent, method, headers: all }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', lost)
    })
    sent.setTimeout(30_000, () => sent.destroy())
    sent.on('error', lost)
    sent.end(body)
  })
}
