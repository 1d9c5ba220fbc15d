// @at-landing: it waits for files that cost their whole allowance of processor time.

// @one-database: what strangers' files do to the shop's own process depends on no database.

import { Agent } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { goodPdfs, keepBusy, sellGoodPdfs } from '../../chaos/busy-machine.ts'
import { buyersIn } from '../../chaos/buyers.ts'
import { buyAndRead } from '../../chaos/heavy-downloads.ts'
import { heavyDrafts, nextPage } from '../../chaos/heavy-drafts.ts'
import { hamzas, hugeObjects } from '../../chaos/heavy-files.ts'
import { type MeasuredShop, openMeasuredShop, patientFetch } from '../../chaos/measured-shop.ts'
import { sendStrangeFiles } from '../../chaos/strange-files.ts'
import { send } from '../../chaos/visitors.ts'
import { amount } from '../../support/amount.ts'
import { aDatabase } from '../../support/database.ts'
import { aPdf } from '../../support/pdf.ts'

/** How far the shop's own process may grow, in megabytes. */
const GROWTH = 100

const STRANGE = amount('STRANGE_FILES', { usual: 80, long: 1500 })
const GOOD = amount('GOOD_FILES', { usual: 8, long: 40 })
const SEED = Number(process.env.CHAOS_SEED ?? 1)

async function aShop(): Promise<MeasuredShop> {
  const { url } = await aDatabase()
  const shop = await openMeasuredShop({ databaseUrl: url })
  onTestFinished(() => shop.close())
  return shop
}

const isUp = ({ process: { process } }: MeasuredShop) =>
  process.exitCode === null && process.signalCode === null

async function timed<Answer extends { status: number }>(work: () => Promise<Answer>) {
  const startedAt = performance.now()
  const { status } = await work()
  return { status, ms: performance.now() - startedAt }
}

test('a draft that nobody can draw keeps no one waiting, and is not drawn twice', async () => {
  const shop = await aShop()
  const errands = Object.values(await buyersIn(shop, 1))
  const [draft] = await heavyDrafts(shop, 1)
  if (!draft) throw new Error('no draft')
  const agent = new Agent({ keepAlive: true })
  const over = new AbortController()
  onTestFinished(() => {
    agent.destroy()
    over.abort()
  })
  const sendAs = (url: string, call = {}) => send(agent, url, call)
  const look = (page: string) => async () => {
    const answer = await patientFetch(shop.url + page, { signal: over.signal })
    await answer.arrayBuffer()
    return answer
  }

  const page = nextPage(draft)
  let isDrawn = false
  const drawing = timed(look(page)).finally(() => {
    isDrawn = true
  })
  // They wait behind the first one, or are refused meanwhile.
  for (let more = 0; more < 9; more++) look(nextPage(draft))().catch(() => {})
  const waits: number[] = []
  for (let step = 0; step < 40 && !isDrawn; step++) {
    for (const errand of errands) {
      const { status, ms } = await timed(() => errand({ number: 0, step, send: sendAs }))
      expect(status).toBe(200)
      waits.push(ms)
    }
  }
  const drawn = await drawing
  expect(drawn.status).toBe(422)
  // Whoever waited for the draft would have waited for as long as it took.
  expect(Math.max(...waits)).toBeLessThan(drawn.ms)

  const again = await timed(look(page))
  expect(again.status).toBe(422)
  expect(again.ms).toBeLessThan(drawn.ms / 2)
})

test('a bought file that unpacks to gigabytes, or costs most to search, stays outside of the shop', async () => {
  const shop = await aShop()
  const good = await buyAndRead(shop, aPdf('Good', 2))
  expect(good).toMatchObject({ download: 200, reading: 200, finds: [200, 200] })
  const noticed = shop.watch()
  expect(await buyAndRead(shop, hugeObjects(1024 ** 3))).toEqual({
    download: 200,
    reading: 422,
    finds: [422, 422],
    footer: 0,
  })
  const searched = await buyAndRead(shop, hamzas(1, 60_000))
  expect(searched).toMatchObject({ download: 200, reading: 200, finds: [200, 200] })
  expect(searched.footer).toBeGreaterThan(0)
  expect(noticed().grown).toBeLessThan(GROWTH)
  expect(isUp(shop)).toBe(true)
})

test(`${GOOD} good files are sold and read while every processor is busy`, async () => {
  const shop = await aShop()
  onTestFinished(keepBusy(4))
  const wronged = await sellGoodPdfs(shop, goodPdfs(GOOD, SEED))
  expect(wronged).toEqual({ refused: [], withoutFooter: [], noted: [] })
})

test(`${STRANGE} strange files (seed ${SEED}) neither break the shop nor stop it`, async () => {
  const shop = await aShop()
  await buyAndRead(shop, aPdf('Good', 2))
  const noticed = shop.watch()
  const { broken, ends } = await sendStrangeFiles(shop, { count: STRANGE, seed: SEED })
  expect(broken, JSON.stringify(ends)).toEqual([])
  // Some are good enough, and most are not.
  expect(Object.keys(ends).length).toBeGreaterThan(5)
  const { grown, ownWork } = noticed()
  expect(grown).toBeLessThan(GROWTH)
  // Of processor time, in milliseconds: much more than anything here takes.
  expect(ownWork).toBeLessThan(500)
  expect(isUp(shop)).toBe(true)
})
