import type { Locator, Page } from 'playwright'
import { expect } from 'vitest'
import { fillText } from '../../../src/i18n/format.ts'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { loggedIn } from '../../support/browser.ts'
import { aPair, sendMessage } from '../../support/chat-page.ts'
import { atCheckout, confirm, payButton } from '../../support/checkout.ts'
import type { Person } from '../../support/factories.ts'
import { hasFocus } from '../../support/keyboard.ts'
import { button, link } from '../../support/scene-steps.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { hold, refuse } from '../../support/steps.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

const allowed = [/status of (401|404|409|500|503)/]

/** Answers a call of the API with an error, and all others as the shop does. */
async function failing(page: Page, call: string, status: number, error: string): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await refuse(page, `**/api/${call}`, status, error)
}

const isInView = (part: Locator) =>
  part.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  })

journeys('texts of each screen state', ({ locale, viewport }, test) => {
  const visit = (person: Person) => loggedIn(shop.url, person, { locale, viewport, allowed })

  test('the checkout: back to home, a payment in progress, and the failure of each step', async () => {
    const paid = { price: 14, balance: 50, allowed }
    const { customer, page } = await atCheckout(shop, { locale, viewport }, paid)
    const back = link(page, locale, 'checkout:page.back')
    await expect.poll(() => back.getAttribute('href')).toBe(pathIn(locale, '/'))

    const alert = page.getByRole('alert')
    const stopsAt = (step: 'order' | 'start' | 'order_id' | 'payment_url') =>
      alert.getByText(uiText(locale, `checkout:result.steps.${step}`), { exact: true }).waitFor()
    const steps = [
      ['orders/create', 500, 'server_error', 'order'],
      ['orderss/sandbox/initiate?*', 503, 'gateway_unavailable', 'start'],
    ] as const
    for (const [call, status, error, step] of steps) {
      await failing(page, call, status, error)
      await confirm(page, locale, 'card')
      await stopsAt(step)
      const reason = uiText(locale, `errors:codes.${error}`)
      const sentence = fillText(uiText(locale, 'checkout:result.failed'), { reason })
      await expect.poll(() => alert.innerText()).toContain(sentence)
      // The problem is shown beside the pressed button, not at the start of a long page.
      await expect.poll(() => isInView(alert)).toBe(true)
      await expect.poll(() => hasFocus(payButton(page))).toBe(true)
    }
    const odd = [
      ['orders/create', {}, 'order_id'],
      [
        'orderss/sandbox/initiate?*',
        { paymentUrl: 'javascript:alert(1)', paymentRef: '0'.repeat(24) },
        'payment_url',
      ],
    ] as const
    for (const [call, json, step] of odd) {
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.route(`**/api/${call}`, (route) => route.fulfill({ json }))
      await confirm(page, locale, 'card')
      await stopsAt(step)
    }
    await failing(page, 'wallet/orders/create-and-pay', 500, 'server_error')
    await confirm(page, locale, 'wallet')
    await alert.getByText(uiText(locale, 'checkout:result.unexpected')).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    const release = await hold(page, '**/api/wallet/orders/create-and-pay')
    await confirm(page, locale, 'wallet')
    const turning = button(page, locale, 'checkout:confirm.paying')
    await expect.poll(() => turning.getAttribute('aria-busy')).toBe('true')
    release()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/my-documents'))
    expect(await shop.balanceOf(customer)).toBe(dinars(36))
  })

  test('charging: the bank’s rule, a top-up that cannot be started, an expired session', async () => {
    const customer = await shop.aCustomer()
    const { page } = await visit(customer)
    await page.goto(pathIn(locale, '/charging'))
    await page.locator('main').getByText(uiText(locale, 'charging:page.info.bank')).waitFor()
    await failing(page, 'wallet/recharge/initiate', 503, 'gateway_unavailable')
    const charge = page.locator('.charge-panel button.button--primary')
    await charge.click()
    await page.getByRole('alert').getByText(uiText(locale, 'charging:page.failed')).waitFor()
    await failing(page, 'wallet/recharge/initiate', 401, 'invalid_token')
    await charge.click()
    await page.getByText(uiText(locale, 'charging:page.notLoggedIn')).waitFor()
  })

  test('the chat: loading, nobody to write to, a truncated last message with its time', async () => {
    const customer = await shop.aCustomer()
    const { page } = await visit(customer)
    const releaseRooms = await hold(page, '**/api/messages/rooms/**')
    await page.goto(pathIn(locale, '/chat'))
    const list = page.locator('.chat')
    const loading = uiText(locale, 'chat:page.list.loading')
    await list.getByText(loading, { exact: true }).first().waitFor()
    const newButton = button(page, locale, 'chat:page.list.new')
    await expect.poll(() => newButton.isDisabled()).toBe(true)
    releaseRooms()
    if (locale === 'fr') await page.getByText(uiText(locale, 'chat:page.room.none')).waitFor()

    const admins = '**/api/messages/users/admins'
    await page.route(admins, (route) => route.fulfill({ json: [] }))
    const releaseAdmins = await hold(page, admins)
    await newButton.click()
    const picker = page.getByRole('dialog', { name: uiText(locale, 'chat:page.picker.title') })
    await picker.getByText(uiText(locale, 'chat:page.picker.loading'), { exact: true }).waitFor()
    const cancel = button(picker, locale, 'chat:page.picker.cancel')
    await expect.poll(() => cancel.isDisabled()).toBe(true)
    releaseAdmins()
    await picker.getByText(uiText(locale, 'chat:page.picker.none')).waitFor()
    await cancel.click()
  })

  test('the chat: a loading room, its last message truncated, and its time', async () => {
    const { customer, administrator } = await aPair(shop)
    const content = 'abcdefghij klmnopqrst uvwxyz 0123456789'
    await sendMessage(shop, administrator, customer, content)
    const { page } = await visit(customer)
    const release = await hold(page, '**/api/messages/room/*/messages*')
    await page.goto(pathIn(locale, '/chat'))
    if (locale === 'fr') {
      await page.getByText(uiText(locale, 'chat:page.room.loading')).waitFor()
    }
    release()
    if (locale === 'ar') {
      // Next to an open conversation a phone shows no list.
      await button(page, locale, 'chat:page.room.back').click()
    }
    const item = page.locator('.chat__room').filter({ hasText: 'abcdefghij' })
    await item.waitFor()
    await expect.poll(() => item.innerText()).toContain(`${content.slice(0, 30).trimEnd()}`)
    await expect.poll(() => item.innerText()).not.toContain('0123456789')
    await expect.poll(() => item.innerText()).toContain(uiText(locale, 'chat:page.time.now'))
  })
})
