import type { Page } from 'playwright'
import { expect } from 'vitest'
import type { Locale } from '../../src/i18n/locales.ts'
import { fill } from './browser.ts'
import { add, count, prompt } from './cart-buttons.ts'
import { hasLink, linkIn, outbox } from './mail.ts'
import { PASSWORD } from './people.ts'
import { button } from './scene-steps.ts'
import { uiText } from './texts.ts'

/** Logs in on the log-in page; a customer's e-mail address and telephone number are names too. */
export async function logIn(page: Page, locale: Locale, name: string, password = PASSWORD) {
  await page.getByLabel(uiText(locale, 'account:login.username')).fill(name)
  await fill(page, uiText(locale, 'account:login.password'), password)
  await button(page, locale, 'account:login.submit').click()
}

/** Opens the customer's own links: the account's menu or, on a phone, the drawer. */
export async function openOwnMenu(page: Page, locale: Locale): Promise<void> {
  const menu = button(page, locale, 'common:menu.open').or(page.locator('.account-menu > summary'))
  await menu.and(page.locator(':visible')).click()
}

/** Logs out by the button in the customer's menu, and waits for the home page. */
export async function logOut(page: Page, locale: Locale): Promise<void> {
  await openOwnMenu(page, locale)
  const home = page.waitForEvent('load')
  await button(page, locale, 'account:session.logout').click()
  await home
}

/** Has a visitor who is not logged in go on without, when the shop asks. */
export const goOnAnonymously = (page: Page, locale: Locale) =>
  button(prompt(page, locale), locale, 'cart:overlays.anonymous.continue').click()

/** Closes what explains the wallet after the first document. */
export const closeWalletIntro = (page: Page, locale: Locale) =>
  button(page, locale, 'cart:overlays.walletIntro.ok').click()

/** Adds the first document of a visitor who is not logged in, and closes what the shop explains. */
export async function addFirst(page: Page, locale: Locale): Promise<void> {
  await add(page).click()
  await goOnAnonymously(page, locale)
  await closeWalletIntro(page, locale)
  await expect.poll(() => count(page).textContent()).toBe('1')
}

/** Confirms an order in the checkout's dialog. */
export const confirmOrder = (page: Page, locale: Locale) =>
  button(page, locale, 'checkout:confirm.yes').click()

/** Answers calls with an error until they are no longer routed. */
export const refuse = (page: Page, calls: string | RegExp, status: number, error = 'refused') =>
  page.route(calls, (route) => route.fulfill({ status, json: { status, error, message: '' } }))

/** Holds requests back; the returned function lets them go. */
export async function hold(page: Page, requests: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(requests, async (route) => {
    await promise
    await route.fallback().catch(() => {})
  })
  return resolve
}

/**
 * The link, with a path that ends so, in the newest mail to this address, once one has arrived: mail
 * is written in the background.
 */
export async function mailedLink(dataDir: string, email: string, path = ''): Promise<URL> {
  const links = async () =>
    (await outbox(dataDir))
      .filter((mail) => mail.headers.includes(`To: ${email}`) && hasLink(mail))
      .map(linkIn)
      .filter(({ pathname }) => pathname.endsWith(path))
  await expect.poll(async () => (await links()).length).toBeGreaterThan(0)
  return (await links()).at(-1) as URL
}
