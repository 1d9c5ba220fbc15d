import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ShopProcess, spawnShop } from '../support/shop-process.ts'
import { startAttack } from './attackers.ts'
import { answerOf, type Call, logInCall, PASSWORD, registerAt, topUp } from './calls.ts'
import { compare, type Errand, visit, type Waits } from './visitors.ts'

type Kind = 'log-in' | 'page' | 'payment'

/** What customers noticed of an attack. */
export interface Comparison {
  readonly attack: string
  readonly quiet: Waits<Kind>
  readonly attacked: Waits<Kind>
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
      people.push(await aPerson(shop.url, address))
    }
    const errands = errandsOf(shop.url, people)
    const serve = (forSeconds: number) =>
      visit({ visitors: customers, seconds: forSeconds, errands, pause: PAUSE })
    await serve(Math.min(2, seconds))
    const quiet = await serve(seconds)
    await around.before?.(shop)
    const under = startAttack(attack, shop.url, seconds + 1)
    await under.firstOutput
    const attacked = await serve(seconds)
    const answers = await under.ended
    return { attack, quiet, attacked, answers, after: await around.after(shop) }
  } finally {
    await shop.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Prints what customers noticed, one row for each kind of request. */
export function printComparison({ attack, quiet, attacked, answers }: Comparison): void {
  console.table(compare(attack, quiet, attacked))
  console.log('attack:', JSON.stringify(answers))
}

interface Person {
  readonly email: string
  readonly token: string
}

/** A new customer, registered and logged in from an address. */
async function aPerson(url: string, address: string): Promise<Person> {
  const email = await registerAt(url, address)
  const { path, headers, ...call } = logInCall(email, PASSWORD)
  const named = { ...headers, 'x-forwarded-for': address }
  const { accessToken = '' } = await answerOf(url + path, { ...call, headers: named })
  return { email, token: accessToken }
}

/** What each of these customers does again and again. */
function errandsOf(url: string, people: readonly Person[]): Record<Kind, Errand> {
  const as = (callOf: (person: Person) => Call): Errand => {
    return ({ number, send }) => {
      const { path, ...call } = callOf(people[number] as Person)
      return send(url + path, call)
    }
  }
  return {
    'log-in': as(({ email }) => logInCall(email, PASSWORD)),
    page: ({ step, send }) => send(url + PAGES[step % PAGES.length]),
    payment: as(({ token }) => topUp(token)),
  }
}
