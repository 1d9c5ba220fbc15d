// @everyday: a customer forgets the password.

import { expect } from 'vitest'
import { FORGOT_PASSWORD_MESSAGE } from '../../../src/contract/accounts.ts'
import { pathIn } from '../../../src/i18n/paths.ts'
import { fill, newVisitor, untilHydrated, withoutCache } from '../../support/browser.ts'
import { button } from '../../support/scene-steps.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { mailedLink } from '../../support/steps.ts'
import { type KeyIn, uiText } from '../../support/texts.ts'

const shop = sharedShop()

const NEW = 'لوز وياسمين 2026'

const linkTo = (email: string) => mailedLink(shop.dataDir, email)

journeys('a forgotten password', (person, test) => {
  const { locale } = person
  const text = (key: KeyIn<'password'>) => uiText(locale, `password:${key}`)

  test('is reset by the link in the mail, which opens the account', async () => {
    const parent = await shop.aCustomer({ email: `forgot-${locale}@karras.test` })
    // The link's second use is a 400, which the browser logs.
    const { page } = await newVisitor(shop.url, { ...person, allowed: [/status of 400/] })
    await page.goto(pathIn(locale, '/login'))
    await page.getByRole('link', { name: text('link') }).click()
    await page.waitForURL(new RegExp(`${pathIn(locale, '/forget-password')}$`))
    await fill(page, text('forgot.email'), parent.email)
    await page.getByRole('button', { name: text('forgot.submit') }).click()
    await page.getByText(text('forgot.sent')).waitFor()

    const link = await linkTo(parent.email)
    expect(link.pathname).toBe(pathIn(locale, '/reset-password'))
    const requests: [url: string, referrer: string][] = []
    // For responses from its cache the browser reports a referrer that it does not send.
    await withoutCache(page)
    page.on('request', (request) => {
      requests.push([request.url(), request.headers().referer ?? ''])
    })
    const answer = await page.goto(link.pathname + link.search)
    // As a header, since fonts are requested before the page's meta element is parsed.
    expect(answer?.headers()['referrer-policy']).toBe('no-referrer')
    const submit = page.getByRole('button', { name: text('reset.submit') })
    await expect.poll(() => submit.isDisabled()).toBe(true)
    await fill(page, text('reset.newPassword'), '12345678')
    await page.getByText(text('strength.weak')).waitFor()
    await fill(page, text('reset.newPassword'), NEW)
    await page.getByText(text('strength.strong')).waitFor()
    await fill(page, text('reset.confirmPassword'), NEW)
    const pressedAt = performance.now()
    await submit.click()
    await page.getByText(text('reset.done')).waitFor()
    await page.waitForURL(new RegExp(`${pathIn(locale, '/login')}$`))
    expect(performance.now() - pressedAt).toBeGreaterThan(2999)
    // The token is sent to nobody, and to our own server only where necessary.
    for (const [url, referrer] of requests) expect(referrer, url).not.toContain('token')

    await fill(page, uiText(locale, 'account:login.username'), parent.email)
    await fill(page, uiText(locale, 'account:login.password'), NEW)
    await button(page, locale, 'account:login.submit').click()
    await page.waitForURL(new RegExp(`${pathIn(locale, '/')}$`))
    await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeTruthy()

    // The link has been used.
    await page.goto(link.pathname + link.search)
    await fill(page, text('reset.newPassword'), NEW)
    await fill(page, text('reset.confirmPassword'), NEW)
    await submit.click()
    await page.getByText(text('reset.errors.failed')).waitFor()
    await page.getByRole('link', { name: text('reset.again') }).waitFor()
  })

  test('the form shows its errors, and the server’s', async () => {
    const { page } = await newVisitor(shop.url, { ...person, allowed: [/status of/, /ERR_/] })
    await page.goto(pathIn(locale, '/forget-password'))
    const email = page.getByLabel(text('forgot.email'), { exact: true })
    const submit = page.getByRole('button', { name: text('forgot.submit') })
    await email.waitFor()
    await expect.poll(() => submit.isDisabled()).toBe(true)
    await email.fill('nobody')
    await email.blur()
    await page.getByText(text('forgot.errors.email')).waitFor()
    await expect.poll(() => submit.isDisabled()).toBe(true)
    await email.fill('')
    await page.getByText(text('forgot.errors.required')).waitFor()
    await expect.poll(() => submit.isDisabled()).toBe(true)
    await email.fill('nobody@karras.test')
    await expect.poll(() => page.locator('.field__error').count()).toBe(0)

    const answers: { status: number; body: object; shows: string }[] = [
      { status: 503, body: { error: 'unavailable' }, shows: text('forgot.errors.failed') },
      {
        status: 429,
        body: { error: 'too_many_requests' },
        shows: uiText(locale, 'errors:codes.too_many_requests'),
      },
      { status: 200, body: {}, shows: text('forgot.sent') },
      { status: 200, body: { message: FORGOT_PASSWORD_MESSAGE }, shows: text('forgot.sent') },
      { status: 200, body: { message: 'Regardez vos messages.' }, shows: 'Regardez vos messages.' },
    ]
    for (const { status, body, shows } of answers) {
      await page.route('**/api/auth/forgot-password', (route) =>
        route.fulfill({ status, json: body }),
      )
      await submit.click()
      await page.locator('.alert').getByText(shows).waitFor()
      await page.unroute('**/api/auth/forgot-password')
    }
  })

  test('the link without its token, and invalid passwords', async () => {
    const { page } = await newVisitor(shop.url, { ...person, allowed: [/status of/, /ERR_/] })
    await page.goto(pathIn(locale, '/reset-password'))
    await page.getByText(text('reset.errors.noToken')).waitFor()
    await fill(page, text('reset.newPassword'), NEW)
    await fill(page, text('reset.confirmPassword'), NEW)
    const submit = page.getByRole('button', { name: text('reset.submit') })
    await expect.poll(() => submit.isDisabled()).toBe(true)

    await page.goto(`${pathIn(locale, '/reset-password')}?token=${'0'.repeat(43)}`)
    const first = page.getByLabel(text('reset.newPassword'), { exact: true })
    const second = page.getByLabel(text('reset.confirmPassword'), { exact: true })
    await untilHydrated(page)
    await first.focus()
    await second.focus()
    await page.getByText(text('reset.errors.required')).waitFor()
    await second.blur()
    await page.getByText(text('reset.errors.confirmRequired')).waitFor()
    await first.fill('12345')
    await page.getByText(text('reset.errors.minLength')).waitFor()
    await second.fill('123456')
    await page.getByText(text('reset.errors.mismatch')).waitFor()
    await expect.poll(() => submit.isDisabled()).toBe(true)
    await first.fill('123456')
    await expect.poll(() => page.locator('.field__error').count()).toBe(0)
    await submit.click()
    await page.getByText(text('reset.errors.failed')).waitFor()
    await page.route('**/api/auth/reset-password', (route) => route.abort())
    await submit.click()
    await page.getByText(uiText(locale, 'errors:codes.network')).waitFor()
  })

  test('the error page links to the same page again, and home', async () => {
    const { page } = await newVisitor(shop.url, { ...person, at: '/error' })
    await page.getByRole('heading', { name: uiText(locale, 'error:title') }).waitFor()
    const again = page.getByRole('link', { name: uiText(locale, 'common:retry') })
    await Promise.all([page.waitForEvent('load'), again.click()])
    expect(new URL(page.url()).pathname).toBe(pathIn(locale, '/error'))
    await page
      .locator('main')
      .getByRole('link', { name: uiText(locale, 'error:home') })
      .click()
    await page.waitForURL(new RegExp(`${pathIn(locale, '/')}$`))
  })
})
