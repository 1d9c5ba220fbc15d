import type { Page } from 'playwright'
import { expect } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { loggedIn, newVisitor, untilHydrated } from '../../support/browser.ts'
import { showTable } from '../../support/library.ts'
import { button } from '../../support/scene-steps.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { type KeyIn, uiText } from '../../support/texts.ts'

const shop = sharedShop()

const FAULTS = [/status of [45]/, /ERR_FAILED/]

/** Returns a function that sets how the next calls to a URL are answered. */
async function answers(page: Page, address: string) {
  const next = { status: 200, body: '' }
  await page.route(address, (route) =>
    route.fulfill({ status: next.status, contentType: 'application/json', body: next.body }),
  )
  return (status: number, body: unknown) => {
    next.status = status
    next.body = JSON.stringify(body)
  }
}

const payloadOf = (payload: object) =>
  ['{"alg":"none"}', JSON.stringify(payload), 'x']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.')

journeys('messages about failures', ({ locale, viewport }, test) => {
  test('the log-in', async () => {
    const { page } = await newVisitor(shop.url, { locale, viewport, allowed: FAULTS })
    const answer = await answers(page, '**/api/auth/login')
    await page.goto(pathIn(locale, '/login'))
    await page.getByLabel(uiText(locale, 'account:login.username')).fill('a@karras.test')
    await page
      .getByLabel(uiText(locale, 'account:login.password'), { exact: true })
      .fill('secret-1')
    const expired = payloadOf({ userId: 1, authorities: ['PARENT'], exp: 1 })
    for (const [status, body, shown] of [
      [200, { accessToken: 'no.token' }, uiText(locale, 'account:login.errors.invalidToken')],
      [200, { accessToken: expired }, uiText(locale, 'account:login.errors.invalidToken')],
      [200, {}, uiText(locale, 'account:login.errors.noToken')],
      [500, { message: 'Base indisponible' }, 'Base indisponible'],
      [418, {}, uiText(locale, 'account:login.errors.failed')],
      [401, { error: 'wrong_credentials' }, uiText(locale, 'errors:codes.wrong_credentials')],
    ] as const) {
      answer(status, body)
      await button(page, locale, 'account:login.submit').click()
      await page.getByRole('alert').getByText(shown, { exact: true }).waitFor()
      await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeFalsy()
    }
  })

  test('the registration', async () => {
    const { page } = await newVisitor(shop.url, { locale, viewport, allowed: FAULTS })
    const answer = await answers(page, '**/api/auth/register')
    await page.goto(pathIn(locale, '/register'))
    await untilHydrated(page)
    const label = (name: KeyIn<'account:register'>) =>
      page.getByLabel(uiText(locale, `account:register.${name}`), { exact: true })
    for (const [name, value] of Object.entries({
      username: 'amal',
      firstName: 'آمال',
      lastName: 'بن صالح',
      phone: '98123456',
      email: 'amal@karras.test',
      password: 'secret-1',
      confirmPassword: 'secret-1',
    })) {
      await label(name as Parameters<typeof label>[0]).fill(value)
    }
    await label('male').check()
    for (const [status, body, shown] of [
      [409, { error: 'registration_failed' }, uiText(locale, 'errors:codes.registration_failed')],
      [500, { message: 'Base indisponible' }, 'Base indisponible'],
      [418, {}, uiText(locale, 'account:register.errors.failed')],
    ] as const) {
      answer(status, body)
      await button(page, locale, 'account:register.submit').click()
      await page.getByRole('alert').getByText(shown, { exact: true }).waitFor()
    }
  })

  test('the preview and the downloads', async () => {
    const document = await shop.aDocument({ title: `Lecture ${locale}`, price: dinars(1) })
    const parent = await shop.aCustomer({ balance: dinars(2) })
    await shop.buys(parent, [document.id])
    const { page } = await loggedIn(shop.url, parent, { locale, viewport, allowed: FAULTS })
    const problem = (name: KeyIn<'library:reading.problems'>) =>
      uiText(locale, `library:reading.problems.${name}`)
    let download = { status: 200, contentType: 'text/plain', body: '' }
    for (const call of ['documents/download/**', 'library/documents/*/link']) {
      await page.route(`**/api/${call}`, (route) => route.fulfill(download))
    }
    const preview = async (shown: Parameters<typeof problem>[0]) => {
      await button(page, locale, 'library:page.preview').first().click()
      await page.getByRole('dialog').getByText(problem(shown)).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    const get = async (shown: Parameters<typeof problem>[0]) => {
      await button(page, locale, 'cart:add.download').first().click()
      await page.getByText(problem(shown)).first().waitFor()
    }
    await page.goto(pathIn(locale, '/my-documents'))
    await showTable(page, locale)
    await preview('preview_empty')
    download = { status: 200, contentType: 'text/plain', body: '/preview/a-token' }
    const opening = '**/api/library/documents/*/reading'
    await page.route(opening, (route) => route.fulfill({ status: 404, json: {} }))
    await preview('preview_not_loaded')
    await page.unroute(opening)
    download = { status: 403, contentType: 'application/json', body: '{"error":"not_permitted"}' }
    await preview('preview_failed')
    download = {
      status: 422,
      contentType: 'application/json',
      body: '{"error":"document_unreadable"}',
    }
    await get('download_failed')

    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    await page.getByRole('combobox').and(page.locator(':visible')).first().focus()
    await get('download_failed')
    download = { status: 500, contentType: 'application/json', body: '{"error":"file_missing"}' }
    await get('download_file_missing')

    // The session that ended in this tab.
    await page.goto(pathIn(locale, '/my-documents'))
    await page.locator('[data-purchased]').first().waitFor()
    await page.evaluate(() => {
      localStorage.removeItem('token')
      dispatchEvent(new StorageEvent('storage', { key: 'token', newValue: null }))
    })
    await page.getByText(uiText(locale, 'library:page.notLoggedIn')).waitFor()
  })
})
