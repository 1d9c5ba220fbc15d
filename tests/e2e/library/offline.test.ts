import type { Locator, Page } from 'playwright'
import { expect, test } from 'vitest'
import type { Locale } from '../../../src/i18n/locales.ts'
import { pathIn } from '../../../src/i18n/paths.ts'
import { WORKER_ADDRESS } from '../../../src/rules/offline.ts'
import { alteredShop } from '../../support/altered-shop.ts'
import { loggedIn, newVisitor, untilHydrated } from '../../support/browser.ts'
import {
  allKept,
  CUT_ERRORS,
  cacheNames,
  eventually,
  untilControlled,
  untilReadingKept,
} from '../../support/kept.ts'
import { PATIENCE } from '../../support/patience.ts'
import { button } from '../../support/scene-steps.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { logOut } from '../../support/steps.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

const bar = (page: Page) => page.locator('.offline-bar')

/** The dialog of the bought document in my documents. */
async function openBook(page: Page, locale: Locale): Promise<Locator> {
  await page.goto(pathIn(locale, '/my-documents'))
  await untilHydrated(page)
  const owned = page.locator('.library tbody tr, .book').first()
  await owned.locator('[aria-haspopup=dialog]').click()
  return page.locator('dialog[open]')
}

journeys('offline', (person, test) => {
  const { locale } = person
  test('visited pages are shown as copies, on which nothing can be bought; all others say why', async () => {
    const { page, context } = await newVisitor(shop.url, {
      ...person,
      keepsPages: true,
      allowed: CUT_ERRORS,
    })
    await page.goto(pathIn(locale, '/about'), { waitUntil: 'networkidle' })
    const onFirst = await page.evaluate(() => navigator.serviceWorker.getRegistration())
    expect(onFirst, 'a first visit').toBeUndefined()
    await page
      .locator(`a[href="${pathIn(locale, '/shop')}"]:visible`)
      .first()
      .click()
    await untilControlled(page)
    const details = pathIn(locale, '/shop-details/1')
    await page.goto(details)
    await eventually(async () => (await allKept(page)).pages).toContain(details)
    await eventually(async () => (await allKept(page)).shells).toContain(pathIn(locale, '/offline'))

    await context.setOffline(true)
    await page.goto(details)
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.kept)).toBeTruthy()
    const reload = button(page, locale, 'offline:bar.reload')
    await reload.waitFor()
    await page.locator('[data-do=add]:visible').first().click()
    await bar(page).getByText(uiText(locale, 'offline:bar.refused')).waitFor()
    expect(await page.evaluate(() => localStorage.getItem('static_cart'))).toBeNull()

    await page.goto(pathIn(locale, '/checkout'))
    await page.getByRole('heading', { name: uiText(locale, 'offline:page.title') }).waitFor()
    await page.goto(details)
    await reload.waitFor()
    await context.setOffline(false)
    await page.waitForFunction(() => !('kept' in document.documentElement.dataset))
  })

  test('a kept document is readable, and is deleted with the session', async () => {
    const owner = await shop.aCustomer({ balance: 100_000 })
    await shop.buys(owner, [1])
    // Account requests that the home page still sends during the log-out are answered with 401.
    const allowed = [...CUT_ERRORS, /status of 401/]
    const { page, context } = await loggedIn(shop.url, owner, {
      ...person,
      keepsPages: true,
      allowed,
    })
    await page.goto(pathIn(locale, '/my-documents'))
    await untilControlled(page)
    const book = await openBook(page, locale)
    await button(book, locale, 'offline:keep.keep').click()
    await book.getByText(uiText(locale, 'offline:keep.kept')).waitFor(PATIENCE)
    const kept = await allKept(page)
    expect(Object.keys(kept).filter((name) => name.startsWith('kept-'))).toEqual([
      `kept-${owner.id}`,
    ])
    const addresses = Object.values(kept).flat()
    expect(addresses.filter((address) => /\/(api|office|media)\b|token/.test(address))).toEqual([])
    const shells = await page.evaluate(async () => {
      const texts: string[] = []
      for (const name of ['shells', 'pages', 'assets']) {
        for (const answer of await (await caches.open(name)).matchAll()) {
          texts.push(await answer.text())
        }
      }
      return texts.join('\n')
    })
    expect(shells).not.toContain(owner.email)

    await context.setOffline(true)
    await page.goto(pathIn(locale, '/my-documents'))
    const link = page.locator('.kept__list a')
    await link.waitFor()
    await eventually(() => page.locator('.library tbody tr, .book').count()).toBe(1)
    await link.click()
    await page.waitForURL('**/read/1')
    await untilReadingKept(page)

    await context.setOffline(false)
    await page.goto(pathIn(locale, '/'))
    await logOut(page, locale)
    await page.waitForFunction(() => !localStorage.getItem('token'))
    await eventually(async () => (await cacheNames(page)).join()).not.toContain('kept-')
  })
})

test('on their own device an owner can read on; another account sees nothing of it', async () => {
  const [owner, other] = [await shop.aCustomer({ balance: 100_000 }), await shop.aCustomer()]
  await shop.buys(owner, [1])
  const { page, context } = await loggedIn(shop.url, owner, {
    keepsPages: true,
    allowed: CUT_ERRORS,
  })
  await page.goto('/my-documents')
  await untilControlled(page)
  const book = await openBook(page, 'ar')
  await book.locator('.keep button').first().click()
  // The list's heading says the same as soon as the first page is loaded.
  await book.locator('.keep').getByText(uiText('ar', 'offline:keep.kept')).waitFor(PATIENCE)
  await page.keyboard.press('Escape')
  await page.getByLabel(uiText('ar', 'offline:list.mine')).check()

  // The session expires overnight.
  await page.goto('/robots.txt')
  await page.evaluate(() => localStorage.removeItem('token'))
  await context.setOffline(true)
  await page.goto('/my-documents')
  await page.locator('.kept__list a').click()
  await page.waitForURL('**/read/1')
  await untilReadingKept(page)
  await context.setOffline(false)

  await page.goto('/robots.txt')
  await page.evaluate((token) => localStorage.setItem('token', token), other.token)
  await page.goto('/my-documents')
  await untilHydrated(page)
  await page.getByText(uiText('ar', 'library:page.empty.title')).waitFor()
  await page.locator('.kept__list').waitFor({ state: 'detached' })
  expect(await cacheNames(page)).toContain(`kept-${owner.id}`)
})

test('a new build replaces the worker under an open page, and the operator can switch it off', async () => {
  const way = await alteredShop(shop.url)
  const { page } = await newVisitor(way.url, { keepsPages: true, allowed: CUT_ERRORS })
  await page.goto('/about')
  await page.locator('a[href="/shop"]:visible').first().click()
  await untilControlled(page)
  await page.goto('/teachers')
  const worker = await (await fetch(shop.url + WORKER_ADDRESS)).text()
  // The browser also checks for a new worker by itself, as soon as there is one.
  await page.evaluate(() => {
    const replaced = new Promise((done) =>
      navigator.serviceWorker.addEventListener('controllerchange', done),
    )
    Object.assign(window, { replaced })
  })
  way.changeWorker(`/*the next build*/${worker}`)
  await page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update()
    await (window as { replaced?: Promise<unknown> }).replaced
  })
  await page.locator('a[href="/shop"]:visible').first().click()
  await page.waitForURL('**/shop')
  await eventually(async () => (await allKept(page)).pages).toContain('/teachers')

  way.changeWorker(await (await fetch(`${shop.url}/sw-off.js`)).text())
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
  await eventually(() => cacheNames(page)).toEqual([])
  await page.goto('/teachers')
  await page.getByRole('heading', { level: 1 }).waitFor()
})
