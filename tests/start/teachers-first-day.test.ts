import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillText, formatDate } from '../../src/i18n/format.ts'
import { closeBrowser, DESKTOP, untilAwake, type Visitor, visitor } from '../support/browser.ts'
import { lineTo } from '../support/cut-line.ts'
import {
  accepts,
  accessIn,
  at,
  comesIn,
  earnings,
  look,
  main,
  office,
  open,
  registers,
  setsUpFactor,
  TEACHER,
} from '../support/first-day-access.ts'
import { asksForPayout, orders, RIB, reads, submits, TITLE } from '../support/first-day-sale.ts'
import { type ShopProcess, SITE_URL, spawnShop } from '../support/shop-process.ts'
import { said } from '../support/texts.ts'

let dataDir: string
let env: Record<string, string>
let shop: ShopProcess

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'karras-teacher-'))
  env = { NODE_ENV: 'production', DATA_DIR: dataDir, SITE_URL }
  shop = await spawnShop(env)
})
afterAll(async () => {
  await closeBrowser()
  await shop?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

test('in an empty shop, in Arabic on phones: a teacher is invited, sells a document and is paid', async () => {
  const line = await lineTo(shop.url)
  const people: Visitor[] = []
  const enter = async (url: string, allowed: RegExp[] = []) => {
    const someone = await visitor(url, { locale: 'ar', allowed })
    people.push(someone)
    return someone.page
  }
  // Console errors of a browser whose connection is cut.
  const teacher = await enter(line.url, [/net::ERR_/])
  const parent = await enter(shop.url)

  await office(env, 'invite-teacher', TEACHER.email, '--language', 'ar')
  await comesIn(dataDir, teacher)
  await submits(teacher, line)
  const [waiting] = await office(env, 'review')
  expect(waiting).toMatchObject({ title: TITLE })
  await office(env, 'review', String(waiting.id), 'accept')

  await registers(dataDir, parent)
  const reference = await orders(parent)
  await office(env, 'confirm', reference)
  await reads(parent)

  // Otherwise the teacher's share is only available after a week.
  await office(env, 'payout', 'hold', '0')
  await asksForPayout(teacher)
  const [asked] = await office(env, 'payouts')
  expect(asked).toMatchObject({ amount: 56, rib: RIB })
  await office(env, 'payout', String(asked.id), 'paid', 'VIR 2026-1187')
  await teacher.reload()
  const paid = fillText(earnings('payouts.list.states.paid'), {
    date: formatDate('ar', new Date().toISOString()),
  })
  await main(teacher).locator('tbody tr', { hasText: 'VIR 2026-1187' }).getByText(paid).waitFor()
  expect(await office(env, 'ledger', 'check')).toMatchObject({ sound: true })
  for (const someone of people) await someone.leave()
})

test('in French on a desktop: an administrator needs the second factor before any page opens', async () => {
  const email = 'sonia@mail.example'
  const password = 'amandes et jasmin 2026'
  const text = accessIn('fr')
  const { link } = await office(env, 'create-admin', email, '--language', 'fr')
  const someone = await visitor(shop.url, {
    locale: 'fr',
    viewport: DESKTOP,
    allowed: [/status of 403/],
  })
  const { page } = someone
  const { pathname, search } = new URL(link)
  await open(page, pathname + search)
  await page.getByText(email).waitFor()
  await accepts(page, 'fr', { password, name: ['Sonia', 'Ben Amor'] })
  await at(page, '/fr/office/security')
  await page.getByText(text('security.needed')).waitFor()
  await look(page)
  // Every other page redirects back to it.
  await page.goto('/fr/office', { waitUntil: 'commit' })
  await at(page, '/fr/office/security')
  await untilAwake(page)
  await setsUpFactor(page, 'fr', password)
  await main(page)
    .getByRole('link', { name: text('security.go') })
    .click()
  await at(page, '/fr/office')
  await page.getByText(said('fr', 'office-waiting:page.noBackup')).waitFor()
  await someone.leave()
})
