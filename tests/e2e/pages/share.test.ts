// A page sent on: by the browser's own list of apps, or by the shop's.
import { describe, expect, test } from 'vitest'
import { bareAmount } from '../../../src/i18n/format.ts'
import { pathIn } from '../../../src/i18n/paths.ts'
import { newVisitor } from '../../support/browser.ts'
import { PERSONAS, sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

describe.each(PERSONAS)('$locale on $viewport.width px', ({ locale, viewport }) => {
  const visit = async (
    path: '/shop-details/3' | '/shop-details/10' | '/teacher-details/1' | '/programme',
  ) => {
    const visitor = await newVisitor(shop.url, { locale, viewport })
    const open = () => visitor.page.goto(pathIn(locale, path))
    return { ...visitor, open, summary: visitor.page.locator('.share > summary') }
  }

  test('a document is sent with its title, class and price, or its link is copied', async () => {
    const { page, open, summary } = await visit('/shop-details/3')
    await page.addInitScript(() => {
      Reflect.deleteProperty(Navigator.prototype, 'share')
      navigator.clipboard.writeText = async (text) => {
        document.documentElement.dataset.copiedText = text
      }
    })
    await open()
    await summary.click()
    const address = await page.locator('.share a').first().getAttribute('href')
    const text = new URL(address ?? '').searchParams.get('text') ?? ''
    const [title, facts, price, link] = text.split('\n')
    const heading = (await page.locator('h1').textContent()) ?? ''
    expect(title).toBe(heading.replaceAll('\u00ad', '').replaceAll('\u00a0', ' '))
    const schoolClass = (await page.locator('.details__head > p').textContent())
      ?.split(' · ')
      .at(-1)
    expect(facts).toContain(schoolClass)
    expect(price).toBe(bareAmount(locale, 7500))
    expect(link).toMatch(/\/shop-details\/3$/)
    await page.getByRole('button', { name: uiText(locale, 'share:ways.copy') }).click()
    await page.getByRole('button', { name: uiText(locale, 'share:ways.copied') }).waitFor()
    expect(await page.locator('html').getAttribute('data-copied-text')).toBe(link)
  })

  test('a bundle is sent with its titles, class and price, and its link opens with it in view', async () => {
    const { page, open } = await visit('/shop-details/10')
    await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'share'))
    await open()
    const ways = page.locator('.details__send .share')
    await ways.locator('summary').click()
    const address = await ways.locator('a').first().getAttribute('href')
    const text = new URL(address ?? '').searchParams.get('text') ?? ''
    const [first, second, facts, price, link = ''] = text.split('\n')
    const titles = await page.locator('.details__bundle li bdi').allTextContents()
    expect([first, second]).toEqual(titles.filter((title) => !/\d/.test(title)))
    const schoolClass = (await page.locator('.details__head > p').textContent())
      ?.split(' · ')
      .at(-1)
    expect(facts).toContain(schoolClass)
    const sold = await shop.database.kysely
      .selectFrom('bundles')
      .innerJoin('bundleDocuments', 'bundleId', 'bundles.id')
      .select('bundles.price')
      .where('documentId', '=', 10)
      .where('stoppedAt', 'is', null)
      .executeTakeFirstOrThrow()
    expect(price).toContain(bareAmount(locale, sold.price))
    expect(link).toMatch(/\/shop-details\/10#bundle-\d+$/)
    await page.goto('about:blank')
    await page.goto(link)
    await expect
      .poll(() =>
        page.locator('.details__bundle').evaluate((offer) => {
          const { top } = offer.getBoundingClientRect()
          return top >= 0 && top < innerHeight
        }),
      )
      .toBe(true)
  })

  test('the browser’s own list opens in its place, also after it was closed', async () => {
    const { page, open, summary } = await visit('/teacher-details/1')
    await page.addInitScript(() => {
      const shared: ShareData[] = []
      Object.assign(window, { shared })
      navigator.share = async (data) => {
        shared.push(data ?? {})
        throw new DOMException('Closed', 'AbortError')
      }
    })
    await open()
    await summary.click()
    await summary.click()
    const shared = await page.evaluate(() => (window as unknown as { shared: ShareData[] }).shared)
    const name = await page.locator('h1').textContent()
    expect(shared).toHaveLength(2)
    for (const { text, url } of shared) {
      expect(text?.split('\n')[0]).toBe(name)
      expect(url).toMatch(/\/teacher-details\/1$/)
    }
    expect(await page.locator('.share').getAttribute('open')).toBeNull()
  })

  test('where the browser refuses, the shop’s own list opens', async () => {
    const { page, open, summary } = await visit('/programme')
    await page.addInitScript(() => {
      navigator.share = async () => {
        throw new DOMException('Refused', 'NotAllowedError')
      }
    })
    await open()
    await summary.click()
    await page.locator('.share a').first().waitFor()
  })
})
