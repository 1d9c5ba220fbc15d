import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatDate } from '../../src/i18n/dates.ts'
import { fillText } from '../../src/i18n/format.ts'
import { tunisianDay } from '../../src/rules/tunisia-time.ts'
import { EXAMPLE_FACTS } from '../../src/site.ts'
import {
  closeBrowser,
  DESKTOP,
  newVisitor,
  untilHydrated,
  type Visitor,
} from '../support/browser.ts'
import { cuttableProxy } from '../support/cut-line.ts'
import {
  acceptInvitation,
  accessIn,
  checkPage,
  earnings,
  joinOffice,
  main,
  office,
  open,
  registerParent,
  setUpFactor,
  TEACHER,
  untilAt,
} from '../support/first-day-access.ts'
import {
  orderByTransfer,
  RIB,
  readAndDownload,
  requestPayout,
  submitDocument,
  TITLE,
} from '../support/first-day-sale.ts'
import { type ShopProcess, SITE_URL, spawnShop } from '../support/shop-process.ts'
import { uiText } from '../support/texts.ts'

let dataDir: string
let env: Record<string, string>
let shop: ShopProcess

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'karras-teacher-'))
  // A real shop without HTTPS, which the browser of a test could not open.
  env = { HOST: '0.0.0.0', DEMO: '0', DATA_DIR: dataDir, SITE_URL }
  const opened = await spawnShop(env)
  shop = { ...opened, url: opened.url.replace('0.0.0.0', '127.0.0.1') }
})
afterAll(async () => {
  await closeBrowser()
  await shop?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

test('in an empty shop, in Arabic on phones: a teacher is invited, sells a document and is paid', async () => {
  const line = await cuttableProxy(shop.url)
  const people: Visitor[] = []
  const enter = async (url: string, allowed: RegExp[] = []) => {
    const visitor = await newVisitor(url, { locale: 'ar', allowed })
    people.push(visitor)
    return visitor.page
  }
  // Console errors of a browser whose connection is cut. A save is refused, and sent again, if the
  // upload or a save whose answer was lost has raised the document's revision meanwhile.
  const teacher = await enter(line.url, [
    /net::ERR_/,
    /status of 409 .*\/api\/office\/documents\/\d+\)/,
  ])
  const parent = await enter(shop.url)

  const call = (name: string, ...typed: string[]) => office(env, 'call', name, ...typed, '--yes')
  await call('saveBank', 'revision=0', `value=${JSON.stringify(EXAMPLE_FACTS.bank)}`)
  await office(env, 'invite-teacher', TEACHER.email, '--language', 'ar')
  await joinOffice(dataDir, teacher)
  await submitDocument(teacher, line)
  const [waiting] = (await call('listReview')).content
  expect(waiting).toMatchObject({ title: TITLE })
  const { document } = await call('getReview', `id=${waiting.id}`)
  await call('acceptReview', `id=${waiting.id}`, `revision=${document.revision}`)

  await registerParent(dataDir, parent)
  const reference = await orderByTransfer(parent)
  await office(env, 'confirm', reference)
  await readAndDownload(parent)

  // Otherwise the teacher's share is only available after a week.
  await call('setPayoutTerms', 'holdDays=0', 'reason=At once')
  await requestPayout(teacher)
  const [payout] = (await call('listTeacherPayouts')).content
  expect(payout).toMatchObject({ amount: 56, rib: RIB })
  const transfer = ['reference=VIR 2026-1187', `transferredOn=${tunisianDay(new Date())}`]
  await call('recordTeacherPayout', `id=${payout.id}`, 'seen=requested', ...transfer)
  await teacher.reload()
  const paid = fillText(earnings('payouts.list.states.paid'), {
    date: formatDate('ar', new Date().toISOString()),
  })
  await main(teacher).locator('tbody tr', { hasText: 'VIR 2026-1187' }).getByText(paid).waitFor()
  expect(await office(env, 'ledger', 'check')).toMatchObject({ sound: true })
  for (const visitor of people) await visitor.leave()
})

test('in French on a desktop: an administrator needs the second factor before any page opens', async () => {
  const email = 'sonia@mail.example'
  const password = 'amandes et jasmin 2026'
  const text = accessIn('fr')
  const { link } = await office(env, 'create-admin', email, '--language', 'fr')
  const visitor = await newVisitor(shop.url, {
    locale: 'fr',
    viewport: DESKTOP,
    allowed: [/status of 403/],
  })
  const { page } = visitor
  const { pathname, search } = new URL(link)
  await open(page, pathname + search)
  await page.getByText(email).waitFor()
  await acceptInvitation(page, 'fr', { password, name: ['Sonia', 'Ben Amor'] })
  await untilAt(page, '/fr/office/security')
  await page.getByText(text('security.needed')).waitFor()
  await checkPage(page)
  // Every other page redirects back to it.
  await page.goto('/fr/office', { waitUntil: 'commit' })
  await untilAt(page, '/fr/office/security')
  await untilHydrated(page)
  await setUpFactor(page, 'fr', password)
  await main(page)
    .getByRole('link', { name: text('security.go') })
    .click()
  await untilAt(page, '/fr/office')
  await page.getByText(uiText('fr', 'office-waiting:page.noBackup')).waitFor()
  await visitor.leave()
})
