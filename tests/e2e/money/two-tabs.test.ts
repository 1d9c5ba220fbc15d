import { expect } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { STATIC_CART_KEY } from '../../../src/rules/storage-keys.ts'
import { loggedIn, newVisitor } from '../../support/browser.ts'
import { add, count } from '../../support/cart-buttons.ts'
import { button } from '../../support/scene-steps.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { closeWalletIntro, logIn } from '../../support/steps.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('two tabs', ({ locale, viewport }, test) => {
  // shopping.test.ts logs out in one of two tabs.
  test('a log-in shows in the other', async () => {
    const parent = await shop.aCustomer({ balance: dinars(3) })
    const visitor = await newVisitor(shop.url, { locale, viewport })
    const { page } = visitor
    const other = await visitor.context.newPage()
    await other.goto(pathIn(locale, '/about'))
    await page.goto(pathIn(locale, '/login'))
    await logIn(page, locale, parent.email)
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/'))
    await expect.poll(() => other.locator('html').getAttribute('data-session')).toBe('in')
    await expect
      .poll(() => other.locator('.header .ticket').innerText())
      .toContain(locale === 'fr' ? '3,00' : '3.00')
  })

  test('items added to and removed from the cart show in the other', async () => {
    const document = await shop.aDocument({ title: `Deux onglets ${locale}` })
    const visitor = await loggedIn(shop.url, await shop.aCustomer(), { locale, viewport })
    const { page } = visitor
    const other = await visitor.context.newPage()
    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    await other.goto(pathIn(locale, '/checkout'))
    await other.getByText(uiText(locale, 'checkout:empty.title')).waitFor()
    await add(page).click()
    // An item that is removed before this tab has the shop's answer reappears with it.
    const unsent = () => page.evaluate((key) => localStorage.getItem(key) ?? '', STATIC_CART_KEY)
    await count(page).waitFor()
    await expect.poll(unsent).not.toContain(`"documentId":${document.id}`)
    await other.locator('.line-items').getByText(document.title).waitFor()
    await button(other, locale, 'checkout:items.remove').click()
    await closeWalletIntro(page, locale)
    await expect.poll(() => page.locator('visitor-text[of=cart]:visible').count()).toBe(0)
    await expect.poll(() => add(page).innerText()).toContain(uiText(locale, 'cart:add.add'))
  })
})
