import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { pathIn } from '../../src/i18n/paths.ts'
import { MINUTE_MS } from '../../src/rules/durations.ts'
import { dinars } from '../../src/rules/money.ts'
import { loggedIn, type Visitor, visitor, withoutCache } from '../support/browser.ts'
import { inTurn, PEOPLE, sharedShop } from '../support/stage.ts'
import { said } from '../support/texts.ts'

const shop = sharedShop()

const add = (page: Page) => page.locator('main .add-to-cart [data-do=add]:visible').first()
const heart = (page: Page) => page.locator('main .heart:visible').first()
const count = (page: Page) => page.locator('[data-cart-count]:visible').first()
const toast = (page: Page) => page.locator('.toast:visible')

/** Holds back the scripts of a page's islands; the promise of the returned function lets them through. */
async function holdIslands({ page }: Visitor): Promise<() => Promise<void>> {
  await withoutCache(page)
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/_astro/{Overlays,client,react}*.js', async (route) => {
    await released
    await route.continue().catch(() => undefined)
  })
  return async () => {
    release()
    await page.waitForFunction(() => window.early?.answer)
  }
}

describe.each(PEOPLE)('the first tap $who', ({ locale, viewport }) => {
  const look = { locale, viewport }
  const turn = inTurn(locale)
  const prompt = (page: Page) =>
    page.getByRole('dialog', { name: said(locale, 'cart:overlays.anonymous.title') })
  const details = (document: { id: number }) => pathIn(locale, `/shop-details/${document.id}`)
  const aDocument = () =>
    shop.aDocument({ title: `Premier ${locale}`, price: dinars(7), priceDiscount: dinars(5.5) })

  test('asks a visitor before the islands are there, who go on in the same elements', async () => {
    const someone = await visitor(shop.url, look)
    const { page } = someone
    const release = await holdIslands(someone)
    await page.clock.install()
    await page.goto(details(await aDocument()))
    // The notice goes when its time is over, which scripts take the longer for the slower they are.
    await page.clock.pauseAt(Date.now() + MINUTE_MS)
    await add(page).click()
    await prompt(page).waitFor()
    await page.keyboard.press('Escape')
    await prompt(page).waitFor({ state: 'hidden' })
    expect(await add(page).evaluate((button) => button === document.activeElement)).toBe(true)
    await add(page).click()
    await prompt(page).locator('[data-do=continue]').click()
    await expect.poll(() => count(page).textContent()).toBe('1')
    await expect.poll(() => add(page).textContent()).toContain(said(locale, 'cart:add.inCart'))
    await expect.poll(() => toast(page).textContent()).toContain(locale === 'fr' ? '5,50' : '5.50')
    // Counts how often the islands change or replace what is shown.
    await page.evaluate(() => {
      const region = document.querySelector('[data-toast]')?.parentElement
      const changes: string[] = []
      Object.assign(window, { changes })
      new MutationObserver((records) => {
        for (const { type } of records) changes.push(type)
      }).observe(region as Element, { childList: true, subtree: true })
    })

    await release()
    // What only the islands show: the wallet, once.
    const intro = page.getByRole('dialog', {
      name: said(locale, 'cart:overlays.walletIntro.title'),
    })
    await expect
      .poll(async () => {
        await page.clock.runFor(1)
        return intro.isVisible()
      })
      .toBe(true)
    expect(await page.evaluate(() => (window as { changes?: string[] }).changes)).toEqual([])
    expect(await toast(page).isVisible()).toBe(true)
    await page.clock.resume()
    await intro.getByRole('button').last().click()
    await intro.waitFor({ state: 'detached' })
    await toast(page).waitFor({ state: 'hidden' })
    expect(await count(page).textContent()).toBe('1')
    await add(page).click()
    await page.waitForURL(/\/checkout$/)
    await expect.poll(() => page.locator('.line-items > li').count()).toBe(1)
    await someone.leave()
  })

  turn('leaves a question that is open to the islands, which answer as it did', async () => {
    const someone = await visitor(shop.url, look)
    const { page } = someone
    const release = await holdIslands(someone)
    await page.goto(pathIn(locale, '/shop'))
    await heart(page).click()
    const question = page.getByRole('dialog', {
      name: said(locale, 'cart:overlays.loginRequired.title'),
    })
    await question.locator('[data-do=continue]').click()
    await question.waitFor({ state: 'hidden' })
    await add(page).dblclick()
    await prompt(page).waitFor()
    await release()
    expect(await page.locator('dialog[open]').count()).toBe(1)
    await prompt(page).locator('[data-do=continue]').click()
    await prompt(page).waitFor({ state: 'hidden' })
    await toast(page).waitFor()
    await expect.poll(() => count(page).textContent()).toBe('1')
    await someone.leave()
  })

  turn('of a customer is kept for the server, also when the page is left at once', async () => {
    const customer = await shop.aCustomer({ balance: dinars(20) })
    const document = await aDocument()
    const someone = await loggedIn(shop.url, customer, look)
    const { page } = someone
    await holdIslands(someone)
    await page.goto(details(document))
    await add(page).click()
    await heart(page).click()
    await toast(page).waitFor()
    await expect.poll(() => heart(page).getAttribute('aria-pressed')).toBe('true')
    await expect.poll(() => count(page).textContent()).toBe('1')
    // It is in the cart, which no island is needed for to open.
    await add(page).click()
    await page.unroute('**/_astro/{Overlays,client,react}*.js')
    await page.waitForURL(/\/checkout$/)
    await page.goto(details(document))
    await page.evaluate(() => dispatchEvent(new Event('karras:wake')))
    const headers = { authorization: `Bearer ${customer.token}` }
    for (const list of [`carts/user/${customer.id}`, `wishlist/${customer.id}`]) {
      await expect
        .poll(async () => (await fetch(`${shop.url}/api/${list}`, { headers })).text())
        .toContain(`"id":${document.id},`)
    }
    await expect.poll(() => heart(page).getAttribute('aria-pressed')).toBe('true')
    const unsent = () => page.evaluate(() => 'wishes_unsent' in localStorage)
    await expect.poll(unsent).toBe(false)
    await someone.leave()
  })

  turn('waits for the styles of its answer, and goes without those that do not come', async () => {
    const someone = await visitor(shop.url, { ...look, allowed: [/Failed to load resource/] })
    const { page } = someone
    await holdIslands(someone)
    let answer = (_comes: boolean) => {}
    const answered = new Promise<boolean>((resolve) => (answer = resolve))
    await page.route('**/_astro/later*.css', async (route) =>
      (await answered) ? route.continue() : route.abort(),
    )
    const hasStyles = () =>
      prompt(page).evaluate((dialog) => getComputedStyle(dialog).paddingInlineStart === '0px')
    const path = details(await aDocument())
    await page.goto(path, { waitUntil: 'commit' })
    await add(page).click()
    await page.locator('[as=style][rel=stylesheet]').waitFor({ state: 'attached' })
    expect(await page.locator('dialog[open]').count()).toBe(0)
    answer(true)
    await prompt(page).waitFor()
    expect(await hasStyles()).toBe(true)

    await page.unroute('**/_astro/later*.css')
    await page.route('**/_astro/later*.css', (route) => route.abort())
    await page.goto(path)
    await add(page).click()
    await prompt(page).waitFor()
    expect(await hasStyles()).toBe(false)
    await someone.leave()
  })

  turn('and what is typed are held until the script of the page is there', async () => {
    const someone = await visitor(shop.url, look)
    const { page } = someone
    await withoutCache(page)
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/_astro/page-script*.js', async (route) => {
      await held
      await route.continue()
    })
    await page.goto(pathIn(locale, '/shop'))
    const search = page.locator('header input[type=search]:visible')
    await search.fill('Premier')
    await add(page).click()
    expect(await page.locator('dialog[open]').count()).toBe(0)
    release()
    await prompt(page).waitFor()
    await prompt(page).locator('[data-do=continue]').click()
    await expect.poll(() => count(page).textContent()).toBe('1')
    expect(await search.inputValue()).toBe('Premier')
    await someone.leave()
  })

  turn('is the browser’s own where the script of the page does not come', async () => {
    const someone = await visitor(shop.url, { ...look, allowed: [/Failed to load resource/] })
    const { page } = someone
    await withoutCache(page)
    await page.route('**/_astro/page-script*.js', (route) => route.abort())
    await page.goto(pathIn(locale, '/shop'))
    await page.waitForFunction(() => window.early && !window.early.events)
    const search = page.locator('header input[type=search]:visible')
    await search.fill('Premier')
    await search.press('Enter')
    await page.waitForURL(/=Premier/)
    await someone.leave()
  })

  turn('waits for the islands where only they can answer, once', async () => {
    const someone = await loggedIn(shop.url, await shop.aCustomer(), look)
    const { page } = someone
    const release = await holdIslands(someone)
    await page.goto(details(await aDocument()))
    const buy = page.locator('main [data-do=buy]')
    await buy.click()
    await buy.click()
    await expect.poll(() => buy.getAttribute('aria-busy')).toBe('true')
    await release()
    await page.getByRole('dialog', { name: said(locale, 'purchase:modal.title') }).waitFor()
    expect(await buy.getAttribute('aria-busy')).toBeNull()
    await someone.leave()
  })

  test('needs no texts of the islands, which come with these, again after a failure', async () => {
    const allowed = [/\/_texts\//]
    const someone = await loggedIn(shop.url, await shop.aCustomer(), { ...look, allowed })
    const { page } = someone
    await withoutCache(page)
    const asked: string[] = []
    let isBroken = true
    await page.route('**/_texts/*', (route) => {
      asked.push(new URL(route.request().url()).pathname)
      return isBroken ? route.abort() : route.continue()
    })
    const answer = await page.goto(details(await aDocument()))
    const html = await answer?.text()
    expect(html).not.toContain(said(locale, 'purchase:modal.problem.safe'))
    expect(html).toContain(said(locale, 'cart:overlays.viewCart'))
    await add(page).click()
    await toast(page).waitFor()
    const buy = page.locator('main [data-do=buy]')
    await buy.click()
    await expect.poll(() => asked.length).toBeGreaterThan(0)
    expect(await page.locator('dialog[open]').count()).toBe(0)

    isBroken = false
    const modal = page.getByRole('dialog', { name: said(locale, 'purchase:modal.title') })
    await expect
      .poll(async () => {
        await buy.dispatchEvent('pointerdown')
        return modal.isVisible()
      })
      .toBe(true)
    await modal.getByText(said(locale, 'purchase:modal.balance'), { exact: true }).waitFor()
    expect(await count(page).textContent()).toBe('1')
    expect(new Set(asked).size).toBe(1)
    expect(asked[0]).toMatch(new RegExp(`^/_texts/${locale}-`))
    await someone.leave()
  })

  turn('is kept as long as the page where nothing can be stored', async () => {
    const someone = await visitor(shop.url, look)
    const { page } = someone
    await page.addInitScript(() =>
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new Error('SecurityError')
        },
      }),
    )
    const release = await holdIslands(someone)
    await page.goto(details(await aDocument()))
    await add(page).click()
    await prompt(page).locator('[data-do=continue]').click()
    await toast(page).waitFor()
    await expect.poll(() => count(page).textContent()).toBe('1')
    await release()
    await page.getByRole('button', { name: said(locale, 'cart:overlays.walletIntro.ok') }).click()
    expect(await count(page).textContent()).toBe('1')
    expect(await add(page).textContent()).toContain(said(locale, 'cart:add.inCart'))
    await someone.leave()
  })
})
