// @everyday: the search box.

import type { Page } from 'playwright'
import { beforeAll, expect } from 'vitest'
import { inLanguage, pathIn } from '../../../src/i18n/paths.ts'
import { newVisitor } from '../../support/browser.ts'
import { box, options, SEARCHES } from '../../support/search-box.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()
let wanted: { id: number; title: string }

beforeAll(async () => {
  wanted = await shop.aDocument({ title: 'Zellige et géométrie' })
})

/** The search texts that the page has requested from the shop. */
function searches(page: Page): string[] {
  const searchTexts: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (SEARCHES.test(url.pathname)) searchTexts.push(url.searchParams.get('title') ?? '')
  })
  return searchTexts
}

const gone = (page: Page) => options(page).first().waitFor({ state: 'detached' })

journeys('the search box', ({ locale, viewport }, test) => {
  const visit = async (address = '/shop') => {
    const visitor = await newVisitor(shop.url, { locale, viewport })
    await visitor.page.goto(inLanguage(locale, address))
    return visitor
  }

  test('a document is suggested with its kind and chosen by pointer', async () => {
    const { page } = await visit()
    await box(page).click()
    await box(page).pressSequentially('ZELLIGE', { delay: 20 })
    const option = options(page).first()
    await option.waitFor()
    expect((await option.innerText()).replace(/\s+/g, ' ')).toBe(
      `${wanted.title} (${uiText(locale, 'search:box.document')})`,
    )
    await option.click()
    await page.waitForURL(`**${pathIn(locale, `/shop-details/${wanted.id}`)}`)
  })

  test('pages come first, at most five, and arrows and Enter choose', async () => {
    const { page } = await visit()
    await box(page).click()
    await box(page).pressSequentially(locale === 'ar' ? 'ال' : 'e', { delay: 20 })
    await options(page).nth(4).waitFor()
    await expect.poll(() => options(page).count()).toBe(5)
    const title = uiText(locale, 'search:pages.home')
    expect((await options(page).first().innerText()).replace(/\s+/g, ' ')).toBe(
      `${title} (${uiText(locale, 'search:box.page')})`,
    )
    await expect.poll(() => box(page).getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press('ArrowDown')
    const active = page.locator('[role=option][aria-selected=true]')
    await active.waitFor()
    await expect
      .poll(() => active.getAttribute('id'))
      .toBe(await box(page).getAttribute('aria-activedescendant'))
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/'))
  })

  test('Enter opens the page with exactly that title in any language, otherwise the shop', async () => {
    const { page } = await visit()
    for (const title of ['السلّة', 'Panier', 'Cart']) {
      await page.goto(pathIn(locale, '/shop'))
      await box(page).fill(` ${title} `)
      // Before the box has its script, its form leads to the shop.
      await options(page).first().waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(`**${pathIn(locale, '/checkout')}`)
    }
    await page.goto(pathIn(locale, '/shop-details/1'))
    const answered = page.waitForResponse((response) =>
      SEARCHES.test(new URL(response.url()).pathname),
    )
    await box(page).pressSequentially('panier d’osier ')
    await answered
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.searchParams.get('search') === 'panier d’osier')
    expect(new URL(page.url()).pathname).toBe(pathIn(locale, '/shop'))
  })

  test('closes on Escape, a click elsewhere and scrolling, and keeps the text', async () => {
    const { page } = await visit('/shop-details/1')
    const open = async () => {
      await box(page).fill('')
      await box(page).pressSequentially('zell')
      await options(page).first().waitFor()
    }
    await open()
    await page.keyboard.press('Escape')
    await gone(page)
    await expect.poll(() => box(page).inputValue()).toBe('zell')
    await open()
    await page.locator('h1').click()
    await gone(page)
    await expect.poll(() => box(page).inputValue()).toBe('zell')
    await open()
    await page.evaluate(() => scrollBy(0, 120))
    await gone(page)
  })

  test('requests a text once typing pauses, and never the same twice', async () => {
    const { page } = await visit()
    const searchTexts = searches(page)
    await box(page).click()
    await box(page).pressSequentially('  zel', { delay: 10 })
    await options(page).first().waitFor()
    expect(searchTexts).toEqual(['zel'])
    await page.keyboard.press('Backspace')
    await page.keyboard.type('l ')
    await page.keyboard.type('i')
    await page.keyboard.press('Backspace')
    const next = page.waitForRequest((request) => request.url().includes('title=zellige'))
    await box(page).fill('zellige')
    await next
    expect(searchTexts).toEqual(['zel', 'zellige'])
    await box(page).fill('   ')
    await gone(page)
  })

  test('chooses the highlighted suggestion, and none after the highlight is removed', async () => {
    const { page } = await visit('/shop-details/1')
    const type = async () => {
      await box(page).fill('zellige')
      await options(page).first().waitFor()
      await page.keyboard.press('ArrowDown')
      await page.locator('[role=option][aria-selected=true]').waitFor()
    }
    await type()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${pathIn(locale, `/shop-details/${wanted.id}`)}`)
    await type()
    await page.keyboard.type(' e')
    await page.locator('[role=option][aria-selected=true]').waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.searchParams.get('search') === 'zellige e')
  })
})
