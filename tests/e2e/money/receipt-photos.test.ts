import type { Page } from 'playwright'
import { expect } from 'vitest'
import { fillText, priceText } from '../../../src/i18n/format.ts'
import { inLanguage } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { readableReference } from '../../../src/rules/typed-numbers.ts'
import { UPLOAD_MAX_BYTES } from '../../../src/rules/uploads.ts'
import { atOffice, loggedIn, newVisitor, untilHydrated } from '../../support/browser.ts'
import { searchList, untilTablesLoaded } from '../../support/office-tables.ts'
import { aPicture } from '../../support/picture.ts'
import { button } from '../../support/scene-steps.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { type KeyIn, uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('photos of a receipt', (person, test) => {
  const { locale, viewport } = person
  const text = (key: KeyIn<'payment'>) => uiText(locale, `payment:${key}`)
  const photos = (page: Page) => page.locator('.receipt-photos img:not(.skeleton)')
  const choose = (page: Page, name: string, mimeType: string, buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer })
  const photo = async (page: Page, width: number) =>
    choose(page, `recu-${width}.png`, 'image/png', await aPicture('#eee', width, 800))

  /** A customer whose payment waits, and its page. */
  const aPayment = async (lastName: string) => {
    const customer = await shop.aCustomer({ lastName })
    const body = { userId: customer.id, amount: 47.5, paymentMethod: 'D17' }
    const { body: begun } = await shop.send(customer, 'POST', '/wallet/recharge/initiate', body)
    const reference: string = begun.paymentRef
    return { customer, reference, path: inLanguage(locale, `/payment/transfer/${reference}`) }
  }

  test('are sent over a line that breaks, seen and enlarged in the office, which confirms', async () => {
    const name = `Sassi ${locale}`
    const { customer, reference, path } = await aPayment(name)
    const options = { ...person, allowed: [/status of (?:409|415)/, /ERR_FAILED/] }
    const { page } = await loggedIn(shop.url, customer, options)
    await page.goto(path)
    await untilHydrated(page)
    await choose(page, 'recu.gif', 'image/gif', Buffer.from('GIF89a'))
    const notAPicture = page.getByText(uiText(locale, 'errors:codes.not_a_picture'))
    await notAPicture.waitFor()
    // The answer to the latest file alone is said.
    await choose(page, 'recu.png', 'image/png', Buffer.alloc(UPLOAD_MAX_BYTES.receipt + 1))
    await notAPicture.waitFor({ state: 'detached' })
    expect(await page.locator('.payment-page [role=alert]').count()).toBe(1)

    await page.route('**/part?*', (route) => route.abort())
    await photo(page, 600)
    await page.getByText(fillText(text('upload.waiting'), { percent: 0 })).waitFor()
    await page.unroute('**/part?*')
    await button(page, locale, 'payment:upload.tryNow').click()
    await page.getByText(text('photos.added')).waitFor()
    await photo(page, 601)
    await photo(page, 602)
    await page.getByText(uiText(locale, 'payment:photos.full')).waitFor()
    await expect.poll(() => photos(page).count()).toBe(3)
    await page
      .getByRole('button', { name: fillText(text('photos.removeOne'), { number: 2 }) })
      .press('Enter')
    await page.getByText(text('photos.removed')).waitFor()
    await page.reload()
    await expect.poll(() => photos(page).count()).toBe(2)

    const administrator = await shop.anOfficeAdministrator()
    const office = await atOffice(shop.url, administrator, { locale, viewport })
    await office.page.goto(inLanguage(locale, '/office/transfers'))
    await untilHydrated(office.page)
    await searchList(office.page, readableReference(reference, 'KR'))
    const row = office.page.locator('main tbody tr', { hasText: name })
    await row.waitFor()
    await untilTablesLoaded(office.page)
    const transfers = uiText(locale, 'office-money:transfers.photos.open')
    await row.getByRole('button', { name: fillText(transfers, { count: 2 }) }).press('Enter')
    const frame = office.page.locator('.receipt-frame').first()
    const picture = frame.locator('img:not(.skeleton)')
    await picture.waitFor()
    const widthOf = async () => (await picture.boundingBox())?.width ?? 0
    const whole = await widthOf()
    await frame.press('+')
    await frame.press('+')
    await expect.poll(async () => Math.round((await widthOf()) / whole)).toBe(2)
    await frame.press('0')
    await expect.poll(widthOf).toBe(whole)

    await button(office.page, locale, 'office-money:transfers.confirm.open').last().click()
    const amount = priceText(locale, dinars(47.5))
    const dialog = office.page.getByRole('dialog')
    await dialog.getByLabel(uiText(locale, 'office:confirm.reason.label')).fill('Relevé')
    const submit = fillText(uiText(locale, 'office-money:transfers.confirm.submit'), { amount })
    await dialog.getByRole('button', { name: submit, exact: true }).click()
    await office.page.locator('.alert--success').waitFor()
    expect(await shop.balanceOf(customer)).toBe(dinars(47.5))
    // The customer's page, open since before, says so with its next call.
    await button(page, locale, 'payment:photos.remove').first().click()
    await page.getByText(uiText(locale, 'errors:codes.payment_ended')).first().waitFor()
    await expect.poll(() => button(page, locale, 'payment:photos.add').count()).toBe(0)
  })

  test('are asked of the payer alone, also where another person opens the page', async () => {
    const { path } = await aPayment('Mrad')
    const visitor = await newVisitor(shop.url, { ...person, at: '/' })
    await visitor.page.goto(path)
    await visitor.page.getByText(text('photos.logIn')).waitFor()
    const stranger = await shop.aCustomer()
    const allowed = [/status of 404/]
    const other = await loggedIn(shop.url, stranger, { ...person, allowed })
    await other.page.goto(path)
    await other.page.getByText(text('photos.notYours')).waitFor()
    expect(await other.page.locator('input[type=file]').count()).toBe(0)
  })
})
