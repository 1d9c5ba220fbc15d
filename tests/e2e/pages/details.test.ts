// What only the drawn page of a document shows: what is on its first screen, and where nothing is.
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { inLanguage } from '../../../src/i18n/paths.ts'
import { DESKTOP, newVisitor, PHONE } from '../../support/browser.ts'
import { ARABIC, FRENCH, sharedShop } from '../../support/stage.ts'

const shop = sharedShop()

/** A document of the demo shop with ratings, a discount and a title of two lines. */
const DOCUMENT = '/shop-details/69'

const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).first().boundingBox()
  if (!box) throw new Error(`no ${selector}`)
  return { ...box, bottom: box.y + box.height }
}

test.each([ARABIC, FRENCH])(
  'the first screen of a phone has title and price whole, in $locale',
  async ({ locale }) => {
    const { page } = await newVisitor(shop.url, { locale, viewport: PHONE })
    const long = await shop.aDocument({
      title:
        'سلسلة تمارين محلولة في الرياضيات للسنة السادسة من التعليم الأساسي: الكسور والأعداد العشرية والقيس',
    })
    for (const path of [DOCUMENT, `/shop-details/${long.id}`]) {
      await page.goto(inLanguage(locale, path))
      const [title, price, bar] = [
        await boxOf(page, 'h1'),
        await boxOf(page, '.buy .price'),
        await boxOf(page, '.buy'),
      ]
      expect(title.y, path).toBeGreaterThan(0)
      expect(title.bottom, path).toBeLessThan(bar.y)
      expect(price.bottom, path).toBeLessThan(PHONE.height)
      // With a header of one row, both bars take a fifth of the screen.
      expect(bar.height, path).toBeLessThanOrEqual(96)
    }
  },
)

test.each([ARABIC, FRENCH])(
  'no column of a desktop is empty beside the text, in $locale',
  async ({ locale }) => {
    const { page } = await newVisitor(shop.url, { locale, viewport: DESKTOP, at: DOCUMENT })
    // The longest stretch of nothing, in each quarter of the width, in pixels.
    const gaps = await page.evaluate(() => {
      const article = document.querySelector('.details') as HTMLElement
      const { top, bottom, left, width } = article.getBoundingClientRect()
      const parts = [
        ...article.querySelectorAll('p, h1, h2, h3, dt, dd, li, .cover, .button, textarea'),
      ]
      const boxes = parts
        .map((part) => part.getBoundingClientRect())
        .filter(({ height }) => height > 0)
      return [0.12, 0.4, 0.65, 0.88].map((share) => {
        const at = left + share * width
        let [end, longest] = [top, 0]
        for (const box of boxes.toSorted((a, b) => a.top - b.top)) {
          if (box.left > at + 60 || box.right < at - 60) continue
          longest = Math.max(longest, box.top - end)
          end = Math.max(end, box.bottom)
        }
        return Math.round(Math.max(longest, bottom - end))
      })
    })
    expect(Math.max(...gaps), gaps.join()).toBeLessThan(DESKTOP.height / 2.5)
  },
)

test('one main action, the description before the facts, and the stars in numbers', async () => {
  const { page } = await newVisitor(shop.url, { viewport: DESKTOP })
  await page.goto(DOCUMENT)
  const main = page.locator('.details .button--primary:visible:not([type=submit])')
  await expect.poll(() => main.count()).toBe(1)
  expect(await page.locator('.details h2').evaluateAll((all) => all.map(({ id }) => id))).toEqual([
    'description',
    'inside',
    'file',
    'ratings',
  ])
  const answer = await fetch(`${shop.url}/api${DOCUMENT.replace('shop-details', 'documents')}`)
  const { ratingCount } = await answer.json()
  const rows = await page.locator('.star-counts li').allInnerTexts()
  const counts = rows.map((row) => Number(row.match(/\d+$/)))
  expect(counts).toHaveLength(5)
  expect(counts.reduce((sum, count) => sum + count)).toBe(ratingCount)
})
