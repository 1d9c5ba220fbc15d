import type { Page } from 'playwright'
import { expect } from 'vitest'
import type { Locale } from '../../src/i18n/locales.ts'
import { runOffice } from '../../src/server/office/run.ts'
import { authenticatorCode } from './authenticator.ts'
import { violations } from './axe.ts'
import { fill, untilAwake } from './browser.ts'
import { linkIn, outbox } from './mail.ts'
import { type KeyIn, said } from './texts.ts'

export const TEACHER = { email: 'salma@mail.example', password: 'لوز وياسمين 2026' }
const PARENT = { email: 'amal@mail.example', password: 'نعناع وزعتر 2026' }

/** Runs an operator's command; returns its machine-readable output. */
// biome-ignore lint/suspicious/noExplicitAny: each command has another output.
export async function office(env: Record<string, string>, ...typed: string[]): Promise<any> {
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  const exit = await runOffice([...typed, '--json'], env, { out: say, err: say })
  if (exit !== 0) throw new Error(`${typed.join(' ')}: ${lines.join('\n')}`)
  return JSON.parse(lines.join(''))
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
export async function fits(page: Page): Promise<void> {
  const wide = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
  expect(await page.evaluate(wide)).toBeLessThanOrEqual(0)
}

/** Expects no axe violations, and no sideways scroll. */
export async function look(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([])
  await fits(page)
}

export const main = (page: Page) => page.locator('main')
export const press = (page: Page, name: string) =>
  main(page).getByRole('button', { name, exact: true }).click()
export const at = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path)

export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await untilAwake(page)
}

export const documents = (key: KeyIn<'office-documents'>) => said('ar', `office-documents:${key}`)
export const earnings = (key: KeyIn<'office-earnings'>) => said('ar', `office-earnings:${key}`)

export const accessIn = (locale: Locale) => (key: KeyIn<'office-access'>) =>
  said(locale, `office-access:${key}`)
const access = accessIn('ar')

/** Accepts the invitation that is shown. */
export async function accepts(
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
export async function setsUpFactor(page: Page, locale: Locale, password: string): Promise<string> {
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

/** From the invitation mail to an office that asks for a second factor. */
export async function comesIn(dataDir: string, page: Page): Promise<void> {
  await open(page, await mailedPath(dataDir, TEACHER.email))
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
  // A code is valid once: uses the next one, from a clock that is ahead.
  await fill(page, access('fields.code'), authenticatorCode(secret, Date.now() + 30_000))
  await page.keyboard.press('Enter')
  await at(page, '/office')
}

/** Registers an account and confirms its address. */
export async function registers(dataDir: string, page: Page): Promise<void> {
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
  await open(page, await mailedPath(dataDir, PARENT.email))
  await press(page, said('ar', 'confirm-email:island.submit'))
  await page.getByText(said('ar', 'confirm-email:island.confirmed')).waitFor()
  await fits(page)
  await open(page, '/login')
  await page.getByLabel(said('ar', 'account:login.username')).fill(PARENT.email)
  await fill(page, said('ar', 'account:login.password'), PARENT.password)
  await press(page, said('ar', 'account:login.submit'))
  await at(page, '/')
}
