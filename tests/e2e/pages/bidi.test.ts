import { describe, expect, test } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { EXAMPLE_FACTS } from '../../../src/site.ts'
import { DESKTOP, newVisitor, PHONE } from '../../support/browser.ts'
import { add } from '../../support/cart-buttons.ts'
import { sharedShop } from '../../support/stage.ts'
import { closeWalletIntro, goOnAnonymously } from '../../support/steps.ts'

const shop = sharedShop()

const people = [
  { locale: 'ar', viewport: PHONE },
  { locale: 'fr', viewport: DESKTOP },
] as const

describe.each(people)('text on the screen in $locale', ({ locale, viewport }) => {
  test('the footer’s telephone numbers and address read from left to right', async () => {
    const { page } = await newVisitor(shop.url, { locale, viewport })
    await page.goto(pathIn(locale, '/shop'))
    const footer = page.locator('footer')
    for (const text of [...EXAMPLE_FACTS.contact.phones, EXAMPLE_FACTS.contact.email]) {
      const shown = footer.locator('bdi[dir="ltr"]', { hasText: text })
      const [first, last] = await shown.evaluate((element) => {
        const node = element.firstChild
        const length = node?.textContent?.length ?? 0
        return [0, length - 1].map((at) => {
          const range = element.ownerDocument.createRange()
          if (node) range.setStart(node, at)
          if (node) range.setEnd(node, at + 1)
          return range.getBoundingClientRect().left
        })
      })
      expect(first).toBeLessThan(last ?? 0)
    }
  })
})

const mixed = [
  { locale: 'fr', title: 'تمارين SVT (bac)', direction: 'rtl' },
  { locale: 'ar', title: 'Python : تمارين (bac)', direction: 'ltr' },
] as const

test.each(mixed)(
  'the toast shows $title in its own direction ($locale)',
  async ({ locale, title, direction }) => {
    const document = await shop.aDocument({ title })
    const { page } = await newVisitor(shop.url, { locale, viewport: DESKTOP })
    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    await add(page).click()
    await goOnAnonymously(page, locale)
    await closeWalletIntro(page, locale)
    const shown = page.locator('.toast:visible [dir="auto"]')
    await shown.waitFor()
    const { first, last, edges } = await shown.evaluate((element) => {
      const node = element.firstChild as Text
      const left = (at: number) => {
        const range = element.ownerDocument.createRange()
        range.setStart(node, at)
        range.setEnd(node, at + 1)
        return range.getBoundingClientRect().left
      }
      const all = element.ownerDocument.createRange()
      all.selectNodeContents(element)
      const [text, box] = [all.getBoundingClientRect(), element.getBoundingClientRect()]
      return {
        first: left(0),
        last: left(node.length - 1),
        edges: { left: Math.abs(text.left - box.left), right: Math.abs(text.right - box.right) },
      }
    })
    // Its first letter and its closing bracket are at opposite ends, in the title's direction …
    if (direction === 'rtl') expect(first).toBeGreaterThan(last)
    else expect(first).toBeLessThan(last)
    // … and the whole title is at the start edge of the page.
    expect(locale === 'ar' ? edges.right : edges.left).toBeLessThan(2)
  },
)
