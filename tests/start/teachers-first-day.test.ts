import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatDate } from '../../src/i18n/dates.ts'
import { fillText, priceText } from '../../src/i18n/format.ts'
import type { Locale } from '../../src/i18n/locales.ts'
import { dinars } from '../../src/rules/money.ts'
import { PAGE_WIDTHS } from '../../src/rules/reading.ts'
import { readableRib } from '../../src/rules/rib.ts'
import { tunisianDay } from '../../src/rules/tunisia-time.ts'
import { readableReference } from '../../src/rules/typed-numbers.ts'
import { runCommandLine } from '../../src/server/command-line/run.ts'
import { EXAMPLE_FACTS } from '../../src/site.ts'
import { authenticatorCode } from '../support/authenticator.ts'
import { violations } from '../support/axe.ts'
import {
  closeBrowser,
  DESKTOP,
  fill,
  newVisitor,
  untilHydrated,
  type Visitor,
} from '../support/browser.ts'
import { type CuttableProxy, cuttableProxy } from '../support/cut-line.ts'
import { downloadOfFirst, showTable } from '../support/library.ts'
import { aPdf } from '../support/pdf.ts'
import { type ShopProcess, SITE_URL, spawnShop } from '../support/shop-process.ts'
import { mailedLink } from '../support/steps.ts'
import { type KeyIn, uiText } from '../support/texts.ts'

const TEACHER = { email: 'salma@mail.example', password: 'لوز وياسمين 2026' }
const PARENT = { email: 'amal@mail.example', password: 'نعناع وزعتر 2026' }
const TITLE = 'مراجعة الكسور العشرية'
const RIB = '08006023011000456789'
/** Large enough for several parts, which grow on a fast connection. */
const PDF = Buffer.concat([aPdf(TITLE, 3), Buffer.alloc(900_000, ' ')])

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

test('an empty shop publishes nobody and nothing that was invented', async () => {
  const html = async (path: string) => {
    const answer = await fetch(`${shop.url}${path}`)
    return `${answer.status} ${await answer.text()}`
  }
  const pages = await Promise.all(['/', '/contact', '/fr', '/fr/about', '/fr/faq'].map(html))
  const { contact, community, brand } = EXAMPLE_FACTS
  const invented = [
    ...contact.phones,
    contact.email,
    brand.credit.name,
    String(community.followers),
  ]
  for (const page of pages) {
    expect(page).toMatch(/^200 /)
    for (const each of [...invented, '/team']) expect(page).not.toContain(each)
  }
  expect(await html('/team')).toMatch(/^404 /)
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
  // upload or a save whose answer was lost has raised the document's revision meanwhile. A busy machine
  // may look through the file for longer than the call waits, which is then made again.
  const teacher = await enter(line.url, [
    /net::ERR_/,
    /status of 503 .*\/finish\)/,
    /status of 409 .*\/api\/office\/documents\/\d+\)/,
  ])
  const parent = await enter(shop.url)

  const call = (name: string, ...typed: string[]) => office(env, 'call', name, ...typed, '--yes')
  await call('saveBank', 'revision=0', `value=${JSON.stringify(EXAMPLE_FACTS.bank)}`)
  await office(env, 'invite-teacher', TEACHER.email, '--language', 'ar')
  const recoveryCodes = await joinOffice(dataDir, teacher)
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
  await requestPayout(teacher, recoveryCodes)
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
  await page.getByText(uiText('fr', 'office-waiting:opening.steps.backup.title')).waitFor()
  await visitor.leave()
})

/** Runs an operator's command; returns its machine-readable output. */
// biome-ignore lint/suspicious/noExplicitAny: each command has another output.
async function office(env: Record<string, string>, ...typed: string[]): Promise<any> {
  const out: string[] = []
  const err: string[] = []
  const exit = await runCommandLine([...typed, '--json'], env, {
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
  })
  if (exit !== 0) throw new Error(`${typed.join(' ')}: ${[...out, ...err].join('\n')}`)
  return JSON.parse(out.join(''))
}

/** The path of the link in the latest mail to this address, once it has arrived. */
async function mailedPath(dataDir: string, email: string): Promise<string> {
  const { pathname, search } = await mailedLink(dataDir, email)
  return pathname + search
}

/** Expects no sideways scroll; the accessibility tests check buyers' pages with axe. */
async function expectFits(page: Page): Promise<void> {
  const wide = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
  expect(await page.evaluate(wide)).toBeLessThanOrEqual(0)
}

/** Expects no axe violations, and no sideways scroll. */
async function checkPage(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([])
  await expectFits(page)
}

const main = (page: Page) => page.locator('main')
const press = (page: Page, name: string) =>
  main(page).getByRole('button', { name, exact: true }).click()
const untilAt = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path)

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await untilHydrated(page)
}

const documents = (key: KeyIn<'office-documents'>) => uiText('ar', `office-documents:${key}`)
const earnings = (key: KeyIn<'office-earnings'>) => uiText('ar', `office-earnings:${key}`)

const accessIn = (locale: Locale) => (key: KeyIn<'office-access'>) =>
  uiText(locale, `office-access:${key}`)
const access = accessIn('ar')

/** Accepts the invitation that is shown. */
async function acceptInvitation(
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

/** Sets up the second factor on its page; returns the authenticator's secret and the recovery codes. */
async function setUpFactor(page: Page, locale: Locale, password: string) {
  const text = accessIn(locale)
  await press(page, text('security.start'))
  await page.locator('.security__form input[name="password"]').first().fill(password)
  await press(page, text('security.continue'))
  const secret = await page.locator('.security__secret').innerText()
  await checkPage(page)
  await fill(page, text('security.firstCode'), authenticatorCode(secret, Date.now()))
  await press(page, text('security.confirm'))
  const codes = page.locator('.security__list code')
  await expect.poll(() => codes.count()).toBe(10)
  const recoveryCodes = await codes.allInnerTexts()
  await press(page, text('security.saved'))
  return { secret, recoveryCodes }
}

/** From the invitation mail to an office that asks for a second factor; returns its recovery codes. */
async function joinOffice(dataDir: string, page: Page): Promise<string[]> {
  await open(page, await mailedPath(dataDir, TEACHER.email))
  await page.getByText(TEACHER.email).waitFor()
  await checkPage(page)
  await acceptInvitation(page, 'ar', { ...TEACHER, name: ['سلمى', 'الزواري'] })
  await untilAt(page, '/office')
  await page.locator('.waits__line, .empty-state').first().waitFor()
  await checkPage(page)
  await open(page, '/office/security')
  const { secret, recoveryCodes } = await setUpFactor(page, 'ar', TEACHER.password)

  await page.getByRole('button', { name: uiText('ar', 'office:staff.logout') }).click()
  await untilAt(page, '/office/login')
  await untilHydrated(page)
  await fill(page, access('fields.username'), TEACHER.email)
  await fill(page, access('fields.password'), TEACHER.password)
  await press(page, access('login.submit'))
  await page.getByRole('heading', { name: access('login.step') }).waitFor()
  // A code is valid once: uses the next one, from a clock that is ahead.
  await fill(page, access('fields.code'), authenticatorCode(secret, Date.now() + 30_000))
  await page.keyboard.press('Enter')
  await untilAt(page, '/office')
  return recoveryCodes
}

/** Registers an account and confirms its address. */
async function registerParent(dataDir: string, page: Page): Promise<void> {
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
  await page.getByLabel(uiText('ar', 'account:register.female')).check()
  await expectFits(page)
  await press(page, uiText('ar', 'account:register.submit'))
  await page.getByText(uiText('ar', 'account:login.registered')).waitFor()
  await open(page, await mailedPath(dataDir, PARENT.email))
  await press(page, uiText('ar', 'confirm-email:island.submit'))
  await page.getByText(uiText('ar', 'confirm-email:island.confirmed')).waitFor()
  await expectFits(page)
  await open(page, '/login')
  await page.getByLabel(uiText('ar', 'account:login.username')).fill(PARENT.email)
  await fill(page, uiText('ar', 'account:login.password'), PARENT.password)
  await press(page, uiText('ar', 'account:login.submit'))
  await untilAt(page, '/')
}

/** Writes a document, uploads its file over a connection that is cut twice, and submits it. */
async function submitDocument(page: Page, line: CuttableProxy): Promise<void> {
  await open(page, '/office/documents')
  await main(page).locator('.empty-state a').waitFor()
  await checkPage(page)
  await main(page).locator('.empty-state a').click()
  await untilAt(page, '/office/document')
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
  const again = main(page).getByRole('button', { name: uiText('ar', 'office:upload.tryNow') })
  for (const cut of [1, 2]) {
    await expect.poll(() => cuts).toBe(cut)
    await again.waitFor()
    if (cut === 1) await checkPage(page)
    line.mend()
    // Unless it has resumed by itself meanwhile.
    await again.evaluateAll((buttons) => {
      for (const button of buttons) (button as HTMLElement).click()
    })
  }
  await page.locator('.editor__file').getByText(documents('form.file.there')).waitFor()
  await page.locator('.save-state').getByText(uiText('ar', 'office:form.saved')).waitFor()
  await checkPage(page)
  await press(page, documents('acts.submit.button'))
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: documents('acts.submit.button') }).click()
  await page.locator('.standing').getByText(documents('states.submitted')).waitFor()
}

/**
 * Finds the document by another spelling, and orders it by bank transfer; returns its reference.
 */
async function orderByTransfer(page: Page): Promise<string> {
  const search = page.getByRole('combobox').and(page.locator(':visible')).first()
  await search.fill('الكسور مراجعه')
  await search.press('Enter')
  // Home shows it too, until the results are loaded.
  await page.waitForURL(/\/shop\?/)
  await main(page).getByRole('link', { name: TITLE }).first().click()
  await page.waitForURL(/\/shop-details\/\d+$/)
  await page.getByRole('heading', { level: 1, name: TITLE }).waitFor()
  await expectFits(page)
  await page.locator('main .add-to-cart button:visible').first().click()
  await page.getByRole('button', { name: uiText('ar', 'cart:overlays.walletIntro.ok') }).click()
  await open(page, '/checkout')
  await page.locator('#payment input[value="bank_transfer"]').check()
  await expectFits(page)
  await page.locator('#payment button.button--primary').click()
  await page
    .getByRole('dialog', { name: uiText('ar', 'checkout:confirm.title') })
    .getByRole('button', { name: uiText('ar', 'checkout:confirm.yes') })
    .click()
  await page.waitForURL(/\/payment\/transfer\//)
  const reference = readableReference(new URL(page.url()).pathname.split('/').at(-1) ?? '', 'KR')
  await page.getByText(reference).waitFor()
  await page.getByText(EXAMPLE_FACTS.bank.rib).waitFor()
  await expectFits(page)
  await page.goto('/my-documents')
  await page.locator('.open-orders > li').getByText(TITLE).waitFor()
  return reference
}

/**
 * Reads the document once it is paid, and downloads the teacher's exact bytes, followed by the
 * buyer's footer.
 */
async function readAndDownload(page: Page): Promise<void> {
  await page.locator('[data-purchased]', { hasText: TITLE }).waitFor()
  await expectFits(page)
  await showTable(page, 'ar')
  await page
    .getByRole('button', { name: uiText('ar', 'library:page.preview') })
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

/** Opens the sale and its earnings, and requests a payout; each proof takes a code of its own. */
async function requestPayout(page: Page, [first, second]: string[]): Promise<void> {
  await open(page, '/office/sales')
  const sale = main(page).locator('tbody tr')
  await sale.getByText(TITLE).waitFor()
  expect(await sale.innerText()).toContain('56.00')
  await checkPage(page)
  await open(page, '/office/earnings')
  await expect.poll(() => page.locator('.summary__amount').innerText()).toContain('56.00')
  await checkPage(page)
  await open(page, '/office/payouts')
  await fill(page, earnings('account.holder'), 'سلمى الزواري')
  await fill(page, earnings('account.rib'), readableRib(RIB))
  await main(page).locator('input[name="password"]').fill(TEACHER.password)
  await main(page)
    .locator('input[name="code"]')
    .fill(first ?? '')
  await press(page, earnings('account.submit'))
  await main(page).getByLabel(earnings('payouts.ask.amount'), { exact: true }).fill('٥٦')
  await press(page, earnings('payouts.ask.next'))
  const dialog = page.getByRole('dialog', { name: earnings('payouts.ask.title') })
  const sum = { amount: priceText('ar', dinars(56)) }
  await dialog.locator('input[name="password"]').fill(TEACHER.password)
  await dialog.locator('input[name="code"]').fill(second ?? '')
  await dialog.getByRole('button', { name: fillText(earnings('payouts.ask.submit'), sum) }).click()
  await page.getByText(earnings('payouts.ask.done')).waitFor()
  await checkPage(page)
}
