import type { Page } from 'playwright'
import { expect } from 'vitest'
import type { Locale } from '../../src/i18n/locales.ts'
import { runOffice } from '../../src/server/office/run.ts'
import { authenticatorCode } from './authenticator.ts'
import { violations } from './axe.ts'
import { fill, untilHydrated } from './browser.ts'
import { linkIn, outbox } from './mail.ts'
import { type KeyIn, uiText } from './texts.ts'

export const TEACHER = { email: 'salma@mail.example', password: 'لوز وياسمين 2026' }
const PARENT = { email: 'amal@mail.example', password: 'نعناع وزعتر 2026' }

/** Runs an operator's command; returns its machine-readable output. */
// biome-ignore lint/suspicious/noExplicitAny: each command has another output.
export async function office(env: Record<string, string>, ...typed: string[]): Promise<any> {
  const out: string[] = []
  const err: string[] = []
  const exit = await runOffice([...typed, '--json'], env, {
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
  })
  if (exit !== 0) throw new Error(`${typed.join(' ')}: ${[...out, ...err].join('\n')}`)
  return JSON.parse(out.join(''))
}

/** The path of the link in the latest mail to this address, once it has arrived. */
async function mailedPath(dataDir: string, email: string): Promise<string> {
  const last = async () =>
    (await outbox(dataDir)).findLast(({ headers }) => headers.includes(`To: ${email}`))
  await expect.poll(last).toBeDefined()
  const mail = await last()
  if (!mail) throw new Error('no mail')
  const { pathname, search } = linkIn(mail)
  return pathname + search
}

/** Expects no sideways scroll; the accessibility tests check buyers' pages with axe. */
export async function expectFits(page: Page): Promise<void> {
  const wide = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
  expect(await page.evaluate(wide)).toBeLessThanOrEqual(0)
}

/** Expects no axe violations, and no sideways scroll. */
export async function checkPage(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([])
  await expectFits(page)
}

export const main = (page: Page) => page.locator('main')
export const press = (page: Page, name: string) =>
  main(page).getByRole('button', { name, exact: true }).click()
export const untilAt = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path)

export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await untilHydrated(page)
}

export const documents = (key: KeyIn<'office-documents'>) => uiText('ar', `office-documents:${key}`)
export const earnings = (key: KeyIn<'office-earnings'>) => uiText('ar', `office-earnings:${key}`)

export const accessIn = (locale: Locale) => (key: KeyIn<'office-access'>) =>
  uiText(locale, `office-access:${key}`)
const access = accessIn('ar')

/** Accepts the invitation that is shown. */
export async function acceptInvitation(
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

/** Sets up the second factor on its page; returns the authenticator's secret. */
export async function setUpFactor(page: Page, locale: Locale, password: string): Promise<string> {
  const text = accessIn(locale)
  await press(page, text('security.start'))
  await page.locator('.security__form input[name="password"]').first().fill(password)
  await press(page, text('security.continue'))
  const secret = await page.locator('.security__secret').innerText()
  await checkPage(page)
  await fill(page, text('security.firstCode'), authenticatorCode(secret, Date.now()))
  await press(page, text('security.confirm'))
  await expect.poll(() => page.locator('.security__list code').count()).toBe(10)
  await press(page, text('security.saved'))
  return secret
}

/** From the invitation mail to an office that asks for a second factor. */
export async function joinOffice(dataDir: string, page: Page): Promise<void> {
  await open(page, await mailedPath(dataDir, TEACHER.email))
  await page.getByText(TEACHER.email).waitFor()
  await checkPage(page)
  await acceptInvitation(page, 'ar', { ...TEACHER, name: ['سلمى', 'الزواري'] })
  await untilAt(page, '/office')
  await page.locator('.waits__line, .empty-state').first().waitFor()
  await checkPage(page)
  await open(page, '/office/security')
  const secret = await setUpFactor(page, 'ar', TEACHER.password)

  await page.locator('.office-bar:visible button').click()
  await page
    .locator('.office-more:popover-open')
    .getByRole('button', { name: uiText('ar', 'office:staff.logout') })
    .click()
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
}

/** Registers an account and confirms its address. */
export async function registerParent(dataDir: string, page: Page): Promise<void> {
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
