import { expect, test } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { DESKTOP, newVisitor } from '../../support/browser.ts'
import { add } from '../../support/cart-buttons.ts'
import { sharedShop } from '../../support/stage.ts'
import { closeWalletIntro, goOnAnonymously } from '../../support/steps.ts'

const shop = sharedShop()

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
