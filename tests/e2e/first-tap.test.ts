import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { pathIn } from '../../src/i18n/paths.ts'
import { MINUTE_MS } from '../../src/rules/durations.ts'
import { dinars } from '../../src/rules/money.ts'
import { loggedIn, newVisitor } from '../support/browser.ts'
import { aDocument, add, count, details, holdIslands, prompt, toast } from '../support/first-tap.ts'
import { PERSONAS, sharedShop, testOnceAcrossLocales } from '../support/stage.ts'
import { uiText } from '../support/texts.ts'

const shop = sharedShop()
const heart = (page: Page) => page.locator('main .heart:visible').first()

describe.each(PERSONAS)('the first tap $who', ({ locale, viewport }) => {
  const options = { locale, viewport }
  const testOnce = testOnceAcrossLocales(locale)

  test('opens a visitor’s dialog before the islands are loaded, which take over the same elements', async () => {
    const visitor = await newVisitor(shop.url, options)
    const { page } = visitor
    const release = await holdIslands(visitor)
    await page.clock.install()
    await page.goto(details(locale, await aDocument(shop, locale)))
    // The notice disappears when its time is over, which takes longer the slower scripts are.
    await page.clock.pauseAt(Date.now() + MINUTE_MS)
    await add(page).click()
    await prompt(page, locale).waitFor()
    await page.keyboard.press('Escape')
    await prompt(page, locale).waitFor({ state: 'hidden' })
    expect(await add(page).evaluate((button) => button === document.activeElement)).toBe(true)
    await add(page).click()
    await prompt(page, locale).locator('[data-do=continue]').click()
    await expect.poll(() => count(page).textContent()).toBe('1')
    await expect.poll(() => add(page).textContent()).toContain(uiText(locale, 'cart:add.inCart'))
    await expect.poll(() => toast(page).textContent()).toContain(locale === 'fr' ? '5,50' : '5.50')
    // Counts how often the islands change or replace visible elements.
    await page.evaluate(() => {
      const region = document.querySelector('[data-toast]')?.parentElement
      const changes: string[] = []
      Object.assign(window, { changes })
      new MutationObserver((records) => {
        for (const { type } of records) changes.push(type)
      }).observe(region as Element, { childList: true, subtree: true })
    })

    await release()
    // Only the islands show this: the introduction of the wallet, once.
    const intro = page.getByRole('dialog', {
      name: uiText(locale, 'cart:overlays.walletIntro.title'),
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
    await visitor.leave()
  })

  testOnce('hands an open question over to the islands, which respond the same way', async () => {
    const visitor = await newVisitor(shop.url, options)
    const { page } = visitor
    const release = await holdIslands(visitor)
    await page.goto(pathIn(locale, '/shop'))
    await heart(page).click()
    const question = page.getByRole('dialog', {
      name: uiText(locale, 'cart:overlays.loginRequired.title'),
    })
    await question.locator('[data-do=continue]').click()
    await question.waitFor({ state: 'hidden' })
    await add(page).dblclick()
    await prompt(page, locale).waitFor()
    await release()
    expect(await page.locator('dialog[open]').count()).toBe(1)
    await prompt(page, locale).locator('[data-do=continue]').click()
    await prompt(page, locale).waitFor({ state: 'hidden' })
    await toast(page).waitFor()
    await expect.poll(() => count(page).textContent()).toBe('1')
    await visitor.leave()
  })

  testOnce(
    'of a customer is stored for the server, also when the page is left at once',
    async () => {
      const customer = await shop.aCustomer({ balance: dinars(20) })
      const document = await aDocument(shop, locale)
      const visitor = await loggedIn(shop.url, customer, options)
      const { page } = visitor
      await holdIslands(visitor)
      await page.goto(details(locale, document))
      await add(page).click()
      await heart(page).click()
      await toast(page).waitFor()
      await expect.poll(() => heart(page).getAttribute('aria-pressed')).toBe('true')
      await expect.poll(() => count(page).textContent()).toBe('1')
      // It is in the cart, which opens without any island.
      await add(page).click()
      await page.unroute('**/_astro/{Overlays,client,react}*.js')
      await page.waitForURL(/\/checkout$/)
      await page.goto(details(locale, document))
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
      await visitor.leave()
    },
  )

  testOnce(
    'waits for the styles of its response, and continues without those that fail to load',
    async () => {
      const visitor = await newVisitor(shop.url, {
        ...options,
        allowed: [/Failed to load resource/],
      })
      const { page } = visitor
      await holdIslands(visitor)
      let answer = (_comes: boolean) => {}
      const answered = new Promise<boolean>((resolve) => (answer = resolve))
      await page.route('**/_astro/later*.css', async (route) =>
        (await answered) ? route.continue() : route.abort(),
      )
      const hasStyles = () =>
        prompt(page, locale).evaluate(
          (dialog) => getComputedStyle(dialog).paddingInlineStart === '0px',
        )
      const path = details(locale, await aDocument(shop, locale))
      await page.goto(path, { waitUntil: 'commit' })
      await add(page).click()
      await page.locator('[as=style][rel=stylesheet]').waitFor({ state: 'attached' })
      expect(await page.locator('dialog[open]').count()).toBe(0)
      answer(true)
      await prompt(page, locale).waitFor()
      expect(await hasStyles()).toBe(true)

      await page.unroute('**/_astro/later*.css')
      await page.route('**/_astro/later*.css', (route) => route.abort())
      await page.goto(path)
      await add(page).click()
      await prompt(page, locale).waitFor()
      expect(await hasStyles()).toBe(false)
      await visitor.leave()
    },
  )
})
