import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { inLanguage, pathIn } from '../../../src/i18n/paths.ts'
import { DESKTOP, newVisitor, PHONE } from '../../support/browser.ts'
import { shopForFile } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = shopForFile()

/** The most that a card takes of a phone's screen of 740 px, in pixels. */
const CARD_MAX_HEIGHT = 400

/** The heights of the cards without their rows, whose highest card stretches the others. */
function cardHeights(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    await document.fonts.ready
    return [...document.querySelectorAll<HTMLElement>('main .card')].map((card) => {
      card.style.contentVisibility = 'visible'
      card.style.blockSize = 'auto'
      card.style.alignSelf = 'start'
      return card.getBoundingClientRect().height
    })
  })
}

/** Words on the covers of a page that are broken inside without a hyphen, or wider than their label. */
function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const broken: string[] = []
    for (const label of document.querySelectorAll<HTMLElement>('main .cover__label')) {
      const cover = label.closest<HTMLElement>('.cover')
      if (!cover || label.clientWidth === 0) continue
      cover.style.contentVisibility = 'visible'
      // The kind is a pseudo-element.
      if (label.scrollWidth > label.clientWidth + 1) broken.push(`too wide: ${label.dataset.kind}`)
      const walker = document.createTreeWalker(label, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const text = node.textContent ?? ''
        const range = document.createRange()
        const topOf = (at: number) => {
          range.setStart(node, at)
          range.setEnd(node, at + 1)
          return range.getBoundingClientRect().top
        }
        for (const { 0: word, index } of text.matchAll(/\p{L}\p{L}+/gu)) {
          for (let at = index + 1; at < index + word.length; at++) {
            if (Math.abs(topOf(at) - topOf(at - 1)) > 4) broken.push(word)
          }
        }
      }
    }
    return broken
  })
}

describe.each(['ar', 'fr'] as const)('the shop in %s', (locale) => {
  test('no card of the demo shop is higher than 400 px on a phone, and no word on a cover is broken without a hyphen', async () => {
    const { page } = await newVisitor(shop.url, { locale })
    let cards = 0
    for (let number = 1; ; number++) {
      await page.goto(pathIn(locale, `/shop?page=${number}`))
      for (const height of await cardHeights(page)) {
        cards++
        expect(height).toBeLessThanOrEqual(CARD_MAX_HEIGHT)
      }
      expect(await brokenWords(page)).toEqual([])
      await page.setViewportSize(DESKTOP)
      expect(await brokenWords(page)).toEqual([])
      await page.setViewportSize(PHONE)
      if ((await page.locator('.pager__step').last().getAttribute('aria-disabled')) === 'true')
        break
    }
    expect(cards).toBeGreaterThan(60)
  })

  test.each([PHONE.width, 768, 1280])('the parts of a card at %i px', async (width) => {
    const { page } = await newVisitor(shop.url, { locale, viewport: { width, height: 800 } })
    await page.goto(pathIn(locale, '/shop'))
    const card = page.locator('main .card').first()
    const seen = (part: string) => card.locator(part).isVisible()
    for (const part of ['.cover', '.card__title', '.card__facts', '.card__teacher', '.stars']) {
      expect(await seen(part), part).toBe(true)
    }
    for (const part of ['.price', '.heart', '[data-do="add"]']) {
      expect(await seen(part), part).toBe(true)
    }
    expect(await card.locator('a').count()).toBe(1)
    expect(await card.locator('a button').count()).toBe(0)
    const isWide = width >= 768
    expect(await seen('.card__description')).toBe(isWide)
    const after = await card.evaluate((element) => getComputedStyle(element, '::after').content)
    expect(after.includes(uiText(locale, 'common:card.details'))).toBe(isWide)
  })
})

/** What search engines and browsers are told about an address. */
async function toldAbout(path: string) {
  const html = await (await fetch(shop.url + path)).text()
  const of = (pattern: RegExp) => pattern.exec(html)?.[1]
  const canonical = of(/<link rel="canonical" href="([^"]*)"/)?.replaceAll('&amp;', '&')
  return {
    heading: of(/<h1[^>]*>([^<]*)</),
    title: of(/<title>([^<]*)</),
    canonical: canonical?.replace(new URL(canonical).origin, ''),
  }
}

test('the check itself detects a word that is broken inside', async () => {
  const { page } = await newVisitor(shop.url)
  await page.goto('/fr/shop')
  await page.evaluate(() => {
    for (const lines of document.querySelectorAll<HTMLElement>('.cover__lines')) {
      lines.textContent = 'Mathématiques'.repeat(4)
      lines.style.overflowWrap = 'anywhere'
    }
  })
  expect((await brokenWords(page)).join()).toContain('Mathématiques')
})

describe('a filter that is alone', () => {
  test.each(['ar', 'fr', 'en'] as const)('is a page of its own in %s', async (locale) => {
    const whole = await toldAbout(inLanguage(locale, '/shop'))
    const filtered = ['level=high-school', 'matiereId=1', 'niveauId=9', 'categoryId=1']
    const pages = [whole]
    for (const query of [...filtered, 'type=Pour+%C3%89l%C3%A8ve']) {
      const path = inLanguage(locale, `/shop?${query}`)
      const page = await toldAbout(path)
      expect(page.canonical).toBe(path)
      expect(page.title).toContain(page.heading ?? '')
      pages.push(page)
    }
    for (const part of ['heading', 'title'] as const) {
      expect(new Set(pages.map((page) => page[part])).size, part).toBe(pages.length)
    }
  })

  test('is shared as itself; with a second one, or nothing found, the whole shop is', async () => {
    const whole = await toldAbout('/shop')
    for (const query of ['level=high-school&rating=4', 'rating=4', 'matiereId=99999']) {
      expect(await toldAbout(`/shop?${query}`), query).toEqual(whole)
    }
    expect((await toldAbout('/shop?level=high-school&sort=price')).canonical).toBe(
      '/shop?level=high-school',
    )
    expect((await toldAbout('/shop?page=2')).canonical).toBe('/shop?page=2')
    const { page } = await newVisitor(shop.url, { viewport: { width: 1280, height: 800 } })
    await page.goto('/shop')
    await page.selectOption('#filter-level', 'high-school')
    const canonical = page.locator('link[rel="canonical"]')
    await expect.poll(() => canonical.getAttribute('href')).toMatch(/level=high-school$/)
    expect(await canonical.count()).toBe(1)
    await expect
      .poll(() => page.locator('h1').innerText())
      .toBe(uiText('ar', 'catalogue:levels.high-school.name'))
  })
})
