import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillText, formatDate, priceText } from '../../src/i18n/format.ts'
import type { Locale } from '../../src/i18n/locales.ts'
import { dinars } from '../../src/rules/money.ts'
import { readableReference } from '../../src/rules/payment-reference.ts'
import { PAGE_WIDTHS } from '../../src/rules/reading.ts'
import { readableRib } from '../../src/rules/rib.ts'
import { runOffice } from '../../src/server/office/run.ts'
import { FIRST_FACTS } from '../../src/site.ts'
import { authenticatorCode } from '../support/authenticator.ts'
import { violations } from '../support/axe.ts'
import {
  closeBrowser,
  DESKTOP,
  fill,
  untilAwake,
  type Visitor,
  visitor,
} from '../support/browser.ts'
import { type CutLine, lineTo } from '../support/cut-line.ts'
import { downloadOfFirst, showTable } from '../support/library.ts'
import { linkIn, outbox } from '../support/mail.ts'
import { aPdf } from '../support/pdf.ts'
import { type ShopProcess, SITE_URL, spawnShop } from '../support/shop-process.ts'
import { type KeyIn, said } from '../support/texts.ts'

const TEACHER = { email: 'salma@mail.example', password: 'لوز وياسمين 2026' }
const PARENT = { email: 'amal@mail.example', password: 'نعناع وزعتر 2026' }
const TITLE = 'مراجعة الكسور العشرية'
const RIB = '08006023011000456789'
/** Large enough for some parts, which grow while the line is good. */
const PDF = Buffer.concat([aPdf(TITLE, 3), Buffer.alloc(900_000, ' ')])

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

/** A command of the operator's; what it says for scripts. */
// biome-ignore lint/suspicious/noExplicitAny: each command says something else.
async function office(...typed: string[]): Promise<any> {
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  const exit = await runOffice([...typed, '--json'], env, { out: say, err: say })
  if (exit !== 0) throw new Error(`${typed.join(' ')}: ${lines.join('\n')}`)
  return JSON.parse(lines.join(''))
}

/** The page of the link in the last mail to this address, once it is there. */
async function mailedPath(email: string): Promise<string> {
  const last = async () =>
    (await outbox(dataDir)).findLast(({ headers }) => headers.includes(`To: ${email}`))
  await expect.poll(last).toBeDefined()
  const mail = await last()
  if (!mail) throw new Error('no mail')
  const { pathname, search } = linkIn(mail)
  return pathname + search
}

/** No sideways scroll; what axe finds on buyers' pages is among the scenes of the accessibility tests. */
async function fits(page: Page): Promise<void> {
  const wide = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
  expect(await page.evaluate(wide)).toBeLessThanOrEqual(0)
}

/** Nothing for axe, and no sideways scroll. */
async function look(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([])
  await fits(page)
}

const main = (page: Page) => page.locator('main')
const press = (page: Page, name: string) =>
  main(page).getByRole('button', { name, exact: true }).click()
const at = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path)

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await untilAwake(page)
}

const documents = (key: KeyIn<'office-documents'>) => said('ar', `office-documents:${key}`)
const earnings = (key: KeyIn<'office-earnings'>) => said('ar', `office-earnings:${key}`)

const accessIn = (locale: Locale) => (key: KeyIn<'office-access'>) =>
  said(locale, `office-access:${key}`)
const access = accessIn('ar')

/** Takes the invitation that is shown. */
async function accepts(
  page: Page,
  locale: Locale,
  { password, name: [first, last] }: { password: string; name: [string, string] },
): Promise<void> {
  const text = accessIn(locale)
  await fill(page, text('fields.firstName'), first)
  await fill(page, text('fields.lastName'), last)
  await fill(page, text('fields.password'), password)
  await fill(page, text('fields.confirmPassword'), password)
  await press(page, text('invitation.submit'))
}

/** Sets up the second factor on the page that is for it; returns the authenticator's secret. */
async function setsUpFactor(page: Page, locale: Locale, password: string): Promise<string> {
  const text = accessIn(locale)
  await press(page, text('security.start'))
  await page.locator('.security__form input[name="password"]').first().fill(password)
  await press(page, text('security.continue'))
  const secret = await page.locator('.security__secret').innerText()
  await look(page)
  await fill(page, text('security.firstCode'), authenticatorCode(secret, Date.now()))
  await press(page, text('security.confirm'))
  await expect.poll(() => page.locator('.security__list code').count()).toBe(10)
  await press(page, text('security.saved'))
  return secret
}

/** From the invitation's mail to an office that asks for a second factor. */
async function comesIn(page: Page): Promise<void> {
  await open(page, await mailedPath(TEACHER.email))
  await page.getByText(TEACHER.email).waitFor()
  await look(page)
  await accepts(page, 'ar', { ...TEACHER, name: ['سلمى', 'الزواري'] })
  await at(page, '/office')
  await page.locator('.waits__line, .empty-state').first().waitFor()
  await look(page)
  await open(page, '/office/security')
  const secret = await setsUpFactor(page, 'ar', TEACHER.password)

  await page.locator('.office-bar:visible button').click()
  await page
    .locator('.office-more:popover-open')
    .getByRole('button', { name: said('ar', 'office:staff.logout') })
    .click()
  await at(page, '/office/login')
  await untilAwake(page)
  await fill(page, access('fields.username'), TEACHER.email)
  await fill(page, access('fields.password'), TEACHER.password)
  await press(page, access('login.submit'))
  await page.getByRole('heading', { name: access('login.step') }).waitFor()
  // A code is good once: the next one, of a clock that is ahead.
  await fill(page, access('fields.code'), authenticatorCode(secret, Date.now() + 30_000))
  await page.keyboard.press('Enter')
  await at(page, '/office')
}

/** Writes a document, uploads its file over a line that is cut twice, and submits it. */
async function submits(page: Page, line: CutLine): Promise<void> {
  await open(page, '/office/documents')
  await main(page).locator('.empty-state a').waitFor()
  await look(page)
  await main(page).locator('.empty-state a').click()
  await at(page, '/office/document')
  const field = (name: string) => page.locator(`.editor__text [name="${name}"]`)
  await field('title').fill(TITLE)
  await field('description').fill('ثلاث صفحات من التمارين المتدرّجة، مع الإصلاح.')
  for (const name of ['matiereId', 'niveauId', 'categoryId', 'type']) {
    await field(name).selectOption({ index: 1 })
  }
  await field('price').fill('٨٠')

  let parts = 0
  let cuts = 0
  await page.route('**/part?*', async (route) => {
    parts++
    if (parts === 2 || parts === 4) {
      line.cut()
      cuts++
    }
    await route.continue().catch(() => {})
  })
  await page
    .locator('.editor__file input[type="file"]')
    .setInputFiles({ name: 'الكسور.pdf', mimeType: 'application/pdf', buffer: PDF })
  const again = main(page).getByRole('button', { name: said('ar', 'office:upload.tryNow') })
  for (const cut of [1, 2]) {
    await expect.poll(() => cuts).toBe(cut)
    await again.waitFor()
    if (cut === 1) await look(page)
    line.mend()
    // Unless it has gone on by itself meanwhile.
    await again.evaluateAll((buttons) => {
      for (const button of buttons) (button as HTMLElement).click()
    })
  }
  await page.locator('.editor__file').getByText(documents('form.file.there')).waitFor()
  await page.locator('.save-state').getByText(said('ar', 'office:form.saved')).waitFor()
  await look(page)
  await press(page, documents('acts.submit.button'))
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: documents('acts.submit.button') }).click()
  await page.locator('.standing').getByText(documents('states.submitted')).waitFor()
}

/** Opens an account and confirms its address. */
async function registers(page: Page): Promise<void> {
  await open(page, '/register')
  for (const [name, value] of Object.entries({
    username: 'أمل',
    firstName: 'أمل',
    lastName: 'بن صالح',
    phone: '٩٨ ١١١ ٢٢٢',
    ...PARENT,
    confirmPassword: PARENT.password,
  })) {
    await page.locator(`[name=${name}]`).fill(value)
  }
  await page.getByLabel(said('ar', 'account:register.female')).check()
  await fits(page)
  await press(page, said('ar', 'account:register.submit'))
  await page.getByText(said('ar', 'account:login.registered')).waitFor()
  await open(page, await mailedPath(PARENT.email))
  await press(page, said('ar', 'confirm-email:island.submit'))
  await page.getByText(said('ar', 'confirm-email:island.confirmed')).waitFor()
  await fits(page)
  await open(page, '/login')
  await page.getByLabel(said('ar', 'account:login.username')).fill(PARENT.email)
  await fill(page, said('ar', 'account:login.password'), PARENT.password)
  await press(page, said('ar', 'account:login.submit'))
  await at(page, '/')
}

/** Finds the document by another spelling, and orders it by bank transfer; returns its reference. */
async function orders(page: Page): Promise<string> {
  const search = page.getByRole('combobox').and(page.locator(':visible')).first()
  await search.fill('الكسور مراجعه')
  await search.press('Enter')
  // Home shows it too, until the results are there.
  await page.waitForURL(/\/shop\?/)
  await main(page).getByRole('link', { name: TITLE }).first().click()
  await page.waitForURL(/\/shop-details\/\d+$/)
  await page.getByRole('heading', { level: 1, name: TITLE }).waitFor()
  await fits(page)
  await page.locator('main .add-to-cart button:visible').first().click()
  await page.getByRole('button', { name: said('ar', 'cart:overlays.walletIntro.ok') }).click()
  await open(page, '/checkout')
  await page.locator('#payment input[value="bank_transfer"]').check()
  await fits(page)
  await page.locator('#payment button.button--primary').click()
  await page
    .getByRole('dialog', { name: said('ar', 'checkout:confirm.title') })
    .getByRole('button', { name: said('ar', 'checkout:confirm.yes') })
    .click()
  await page.waitForURL(/\/payment\/transfer\//)
  const reference = readableReference(new URL(page.url()).pathname.split('/').at(-1) ?? '')
  await page.getByText(reference).waitFor()
  await page.getByText(FIRST_FACTS.bank.rib).waitFor()
  await fits(page)
  await page.goto('/my-documents')
  await page.locator('.open-orders > li').getByText(TITLE).waitFor()
  return reference
}

/** Reads the document once it is paid, and downloads the teacher's very bytes, with the buyer's footer after them. */
async function reads(page: Page): Promise<void> {
  await page.locator('[data-purchased]', { hasText: TITLE }).waitFor()
  await fits(page)
  await showTable(page, 'ar')
  await page
    .getByRole('button', { name: said('ar', 'library:page.preview') })
    .first()
    .click()
  const pages = page.frameLocator('dialog iframe').locator('img')
  await expect.poll(() => pages.count()).toBe(3)
  const width = () => pages.first().evaluate((image) => (image as HTMLImageElement).naturalWidth)
  await expect.poll(width).toBeGreaterThanOrEqual(Math.min(...PAGE_WIDTHS))
  await page.keyboard.press('Escape')
  const coming = page.waitForEvent('download')
  await downloadOfFirst(page, 'ar').click()
  const download = await coming
  expect(download.suggestedFilename()).toBe(`${TITLE}.pdf`)
  const downloaded = await readFile(await download.path())
  expect(downloaded.subarray(0, PDF.length).equals(PDF)).toBe(true)
}

/** Sees the sale and what it brought, and asks for it. */
async function asksForPayout(page: Page): Promise<void> {
  await open(page, '/office/sales')
  const sale = main(page).locator('tbody tr')
  await sale.getByText(TITLE).waitFor()
  expect(await sale.innerText()).toContain('56.00')
  await look(page)
  await open(page, '/office/earnings')
  await expect.poll(() => page.locator('.summary__amount').innerText()).toContain('56.00')
  await look(page)
  await open(page, '/office/payouts')
  await fill(page, earnings('account.holder'), 'سلمى الزواري')
  await fill(page, earnings('account.rib'), readableRib(RIB))
  await press(page, earnings('account.submit'))
  await main(page).getByLabel(earnings('payouts.ask.amount'), { exact: true }).fill('٥٦')
  await press(page, earnings('payouts.ask.next'))
  const dialog = page.getByRole('dialog', { name: earnings('payouts.ask.title') })
  const sum = { amount: priceText('ar', dinars(56)) }
  await dialog.getByRole('button', { name: fillText(earnings('payouts.ask.submit'), sum) }).click()
  await page.getByText(earnings('payouts.ask.done')).waitFor()
  await look(page)
}

test('in an empty shop, in Arabic on phones: a teacher is invited, sells a document and is paid', async () => {
  const line = await lineTo(shop.url)
  const people: Visitor[] = []
  const enter = async (url: string, allowed: RegExp[] = []) => {
    const someone = await visitor(url, { locale: 'ar', allowed })
    people.push(someone)
    return someone.page
  }
  // What a browser says of a line that is cut.
  const teacher = await enter(line.url, [/net::ERR_/])
  const parent = await enter(shop.url)

  await office('invite-teacher', TEACHER.email, '--language', 'ar')
  await comesIn(teacher)
  await submits(teacher, line)
  const [waiting] = await office('review')
  expect(waiting).toMatchObject({ title: TITLE })
  await office('review', String(waiting.id), 'accept')

  await registers(parent)
  const reference = await orders(parent)
  await office('confirm', reference)
  await reads(parent)

  // Otherwise a sale's share waits for a week.
  await office('payout', 'hold', '0')
  await asksForPayout(teacher)
  const [asked] = await office('payouts')
  expect(asked).toMatchObject({ amount: 56, rib: RIB })
  await office('payout', String(asked.id), 'paid', 'VIR 2026-1187')
  await teacher.reload()
  const paid = fillText(earnings('payouts.list.states.paid'), {
    date: formatDate('ar', new Date().toISOString()),
  })
  await main(teacher).locator('tbody tr', { hasText: 'VIR 2026-1187' }).getByText(paid).waitFor()
  expect(await office('ledger', 'check')).toMatchObject({ sound: true })
  for (const someone of people) await someone.leave()
})

test('in French at a desk: an administrator needs the second factor before anything is open', async () => {
  const email = 'sonia@mail.example'
  const password = 'amandes et jasmin 2026'
  const text = accessIn('fr')
  const { link } = await office('create-admin', email, '--language', 'fr')
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
  // Every other page leads back to it.
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
