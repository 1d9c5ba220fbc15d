import { describe, expect, test } from 'vitest'
import { pathIn } from '../../src/i18n/paths.ts'
import { loggedIn, newVisitor, withoutCache } from '../support/browser.ts'
import { aDocument, add, count, details, holdIslands, prompt, toast } from '../support/first-tap.ts'
import { PERSONAS, sharedShop, testOnceAcrossLocales } from '../support/stage.ts'
import { uiText } from '../support/texts.ts'

const shop = sharedShop()

describe.each(PERSONAS)('the first tap $who', ({ locale, viewport }) => {
  const options = { locale, viewport }
  const testOnce = testOnceAcrossLocales(locale)

  testOnce('and input are held until the intent script is loaded', async () => {
    const visitor = await newVisitor(shop.url, options)
    const { page } = visitor
    await withoutCache(page)
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/_astro/intent-script*.js', async (route) => {
      await held
      await route.continue()
    })
    await page.goto(pathIn(locale, '/shop'))
    const search = page.locator('header input[type=search]:visible')
    await search.fill('Premier')
    await add(page).click()
    expect(await page.locator('dialog[open]').count()).toBe(0)
    release()
    await prompt(page, locale).waitFor()
    await prompt(page, locale).locator('[data-do=continue]').click()
    await expect.poll(() => count(page).textContent()).toBe('1')
    expect(await search.inputValue()).toBe('Premier')
    await visitor.leave()
  })

  testOnce('uses the browser’s default when the intent script does not load', async () => {
    const visitor = await newVisitor(shop.url, { ...options, allowed: [/Failed to load resource/] })
    const { page } = visitor
    await withoutCache(page)
    await page.route('**/_astro/intent-script*.js', (route) => route.abort())
    await page.goto(pathIn(locale, '/shop'))
    const search = page.locator('header input[type=search]:visible')
    await search.focus()
    await page.waitForFunction(() => window.early && !window.early.events)
    await search.fill('Premier')
    await search.press('Enter')
    await page.waitForURL(/=Premier/)
    await visitor.leave()
  })

  testOnce('waits for the islands where only they can respond, once', async () => {
    const visitor = await loggedIn(shop.url, await shop.aCustomer(), options)
    const { page } = visitor
    const release = await holdIslands(visitor)
    await page.goto(details(locale, await aDocument(shop, locale)))
    const buy = page.locator('main [data-do=buy]')
    await buy.click()
    await buy.click()
    await expect.poll(() => buy.getAttribute('aria-busy')).toBe('true')
    await release()
    await page.getByRole('dialog', { name: uiText(locale, 'purchase:modal.title') }).waitFor()
    expect(await buy.getAttribute('aria-busy')).toBeNull()
    await visitor.leave()
  })

  test('needs no texts of the islands, which load with these, again after a failure', async () => {
    const allowed = [/\/_texts\//]
    const visitor = await loggedIn(shop.url, await shop.aCustomer(), { ...options, allowed })
    const { page } = visitor
    await withoutCache(page)
    const requested: string[] = []
    let isBroken = true
    await page.route('**/_texts/*', (route) => {
      requested.push(new URL(route.request().url()).pathname)
      return isBroken ? route.abort() : route.continue()
    })
    const answer = await page.goto(details(locale, await aDocument(shop, locale)))
    const html = await answer?.text()
    expect(html).not.toContain(uiText(locale, 'purchase:modal.problem.safe'))
    expect(html).toContain(uiText(locale, 'cart:overlays.viewCart'))
    await add(page).click()
    await toast(page).waitFor()
    const buy = page.locator('main [data-do=buy]')
    await buy.click()
    await expect.poll(() => requested.length).toBeGreaterThan(0)
    expect(await page.locator('dialog[open]').count()).toBe(0)

    isBroken = false
    const modal = page.getByRole('dialog', { name: uiText(locale, 'purchase:modal.title') })
    await expect
      .poll(async () => {
        await buy.dispatchEvent('pointerdown')
        return modal.isVisible()
      })
      .toBe(true)
    await modal.getByText(uiText(locale, 'purchase:modal.balance'), { exact: true }).waitFor()
    expect(await count(page).textContent()).toBe('1')
    expect(new Set(requested).size).toBe(1)
    expect(requested[0]).toMatch(new RegExp(`^/_texts/${locale}-`))
    await visitor.leave()
  })

  testOnce('is kept as long as the page when nothing can be stored', async () => {
    const visitor = await newVisitor(shop.url, options)
    const { page } = visitor
    await page.addInitScript(() =>
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new Error('SecurityError')
        },
      }),
    )
    const release = await holdIslands(visitor)
    await page.goto(details(locale, await aDocument(shop, locale)))
    await add(page).click()
    await prompt(page, locale).locator('[data-do=continue]').click()
    await toast(page).waitFor()
    await expect.poll(() => count(page).textContent()).toBe('1')
    await release()
    await page.getByRole('button', { name: uiText(locale, 'cart:overlays.walletIntro.ok') }).click()
    expect(await count(page).textContent()).toBe('1')
    expect(await add(page).textContent()).toContain(uiText(locale, 'cart:add.inCart'))
    await visitor.leave()
  })
})
