import { describe, expect, test } from 'vitest'
import { pathIn } from '../../src/i18n/paths.ts'
import { loggedIn, visitor, withoutCache } from '../support/browser.ts'
import { aDocument, add, count, details, holdIslands, prompt, toast } from '../support/first-tap.ts'
import { inTurn, PEOPLE, sharedShop } from '../support/stage.ts'
import { said } from '../support/texts.ts'

const shop = sharedShop()

describe.each(PEOPLE)('the first tap $who', ({ locale, viewport }) => {
  const look = { locale, viewport }
  const turn = inTurn(locale)

  turn('and input are held until the page’s script is loaded', async () => {
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
    await prompt(page, locale).waitFor()
    await prompt(page, locale).locator('[data-do=continue]').click()
    await expect.poll(() => count(page).textContent()).toBe('1')
    expect(await search.inputValue()).toBe('Premier')
    await someone.leave()
  })

  turn('uses the browser’s default when the page’s script does not load', async () => {
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

  turn('waits for the islands where only they can respond, once', async () => {
    const someone = await loggedIn(shop.url, await shop.aCustomer(), look)
    const { page } = someone
    const release = await holdIslands(someone)
    await page.goto(details(locale, await aDocument(shop, locale)))
    const buy = page.locator('main [data-do=buy]')
    await buy.click()
    await buy.click()
    await expect.poll(() => buy.getAttribute('aria-busy')).toBe('true')
    await release()
    await page.getByRole('dialog', { name: said(locale, 'purchase:modal.title') }).waitFor()
    expect(await buy.getAttribute('aria-busy')).toBeNull()
    await someone.leave()
  })

  test('needs no texts of the islands, which load with these, again after a failure', async () => {
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
    const answer = await page.goto(details(locale, await aDocument(shop, locale)))
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

  turn('is kept as long as the page when nothing can be stored', async () => {
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
    await page.goto(details(locale, await aDocument(shop, locale)))
    await add(page).click()
    await prompt(page, locale).locator('[data-do=continue]').click()
    await toast(page).waitFor()
    await expect.poll(() => count(page).textContent()).toBe('1')
    await release()
    await page.getByRole('button', { name: said(locale, 'cart:overlays.walletIntro.ok') }).click()
    expect(await count(page).textContent()).toBe('1')
    expect(await add(page).textContent()).toContain(said(locale, 'cart:add.inCart'))
    await someone.leave()
  })
})
