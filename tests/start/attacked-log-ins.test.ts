// @at-landing: it logs in from many addresses for half a minute.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { MANY_ADDRESSES, RIGHT_PASSWORDS, startAttack } from '../chaos/attackers.ts'
import { answerOf, type Call, logInCall, PASSWORD, registerAt, topUp } from '../chaos/calls.ts'
import { type Errand, visit } from '../chaos/visitors.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { fillDataDir } from '../support/filled-shop.ts'
import { type ShopProcess, spawnShop } from '../support/shop-process.ts'

const CUSTOMERS = 3
const PAGES = ['/', '/shop', '/fr/shop-details/7', '/shop-details/3']

const dataDir = temporaryDirectory()
let shop: ShopProcess
let customers: { email: string; token: string }[]

beforeAll(async () => {
  await fillDataDir(dataDir)
  shop = await spawnShop({ DATA_DIR: dataDir, DEMO: '1', CHAT_MAIL: '0' })
  customers = await Promise.all(Array.from({ length: CUSTOMERS }, (_, at) => aCustomer(at)))
})
afterAll(async () => {
  await shop?.stop()
})

/** A new customer, registered and logged in from an address of their own. */
async function aCustomer(at: number) {
  const address = `203.0.113.${at + 1}`
  const email = await registerAt(shop.url, address)
  const { path, headers, ...call } = logInCall(email, PASSWORD)
  const named = { ...headers, 'x-forwarded-for': address }
  const { accessToken = '' } = await answerOf(shop.url + path, { ...call, headers: named })
  return { email, token: accessToken }
}

/** Lets customers log in, read and pay during an attack; returns what they and the attacker got. */
async function duringAttack(attack: string) {
  const as = (callOf: (customer: (typeof customers)[number]) => Call): Errand => {
    return ({ number, send }) => {
      const { path, ...call } = callOf(customers[number] ?? expect.unreachable())
      return send(shop.url + path, call)
    }
  }
  const errands = {
    'log-in': as(({ email }) => logInCall(email, PASSWORD)),
    page: (({ step, send }) => send(shop.url + PAGES[step % PAGES.length])) as Errand,
    payment: as(({ token }) => topUp(token)),
  }
  const seconds = 1.5
  const under = startAttack(attack, shop.url, seconds + 1)
  await under.firstOutput
  const attacked = await visit({ visitors: CUSTOMERS, seconds, errands, pause: 100 })
  return { attacked, answers: await under.ended }
}

/** Guesses a password ten times from each of 12 networks; returns how many guesses were answered. */
async function answeredGuesses(): Promise<number> {
  let answered = 0
  for (let guessed = 0; guessed < 120; guessed++) {
    const { path, ...call } = logInCall('parent@karras.test', 'wrong')
    const headers = { ...call.headers, 'x-forwarded-for': `192.0.2.${guessed % 12}` }
    const { status } = await fetch(shop.url + path, { ...call, headers })
    if (status === 401) answered++
  }
  return answered
}

// How long others wait: `node tests/chaos/attack.ts`.
test('one address with right passwords keeps nobody from logging in, reading and paying', async () => {
  const { attacked, answers } = await duringAttack(RIGHT_PASSWORDS)
  expect(attacked.refused).toEqual({})
  expect(attacked.times['log-in'].length).toBeGreaterThanOrEqual(3)
  // It was served as far as there was room.
  expect(answers['200']).toBeGreaterThan(0)
})

test('many addresses of one network neither free a closed account nor keep anybody out', async () => {
  expect(await answeredGuesses()).toBe(100)
  const { attacked, answers } = await duringAttack(MANY_ADDRESSES)
  expect(await answeredGuesses()).toBe(0)
  expect(attacked.refused).toEqual({})
  expect(answers.addresses).toBeGreaterThan(0)
})
