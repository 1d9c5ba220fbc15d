import { describe, expect } from 'vitest'
import { inLanguage, pathIn } from '../../src/i18n/paths.ts'
import { newVisitor, withoutCache } from '../support/browser.ts'
import { PASSWORD } from '../support/people.ts'
import { PERSONAS, sharedShop, testOnceAcrossLocales } from '../support/stage.ts'
import { uiText } from '../support/texts.ts'

const shop = sharedShop()

describe.each(PERSONAS)('before the script is loaded $who', ({ locale, viewport }) => {
  const testOnce = testOnceAcrossLocales(locale)
  for (const way of ['Enter', 'a press of the button']) {
    testOnce(`${way} logs in once it is`, async () => {
      const parent = await shop.aCustomer()
      const visitor = await newVisitor(shop.url, { locale, viewport })
      const { page } = visitor
      const sent = Promise.withResolvers<void>()
      await withoutCache(page)
      await page.route(/LoginForm\..*\.js$/, async (route) => {
        await sent.promise
        await route.continue()
      })
      const logIns: string[] = []
      page.on('request', (request) => {
        if (request.method() === 'POST') logIns.push(new URL(request.url()).pathname)
      })
      await page.goto(pathIn(locale, '/login'), { waitUntil: 'commit' })
      await page.getByLabel(uiText(locale, 'account:login.username')).fill(parent.email)
      const password = page.getByLabel(uiText(locale, 'account:login.password'), { exact: true })
      await password.fill(PASSWORD)
      if (way === 'Enter') await password.press('Enter')
      else await page.getByRole('button', { name: uiText(locale, 'account:login.submit') }).click()
      await page.locator('main [type=submit][aria-busy=true]').waitFor()
      expect(logIns).toEqual([])
      sent.resolve()
      await page.waitForURL((url) => url.pathname === pathIn(locale, '/'))
      expect(logIns.filter((path) => path === '/api/auth/login')).toHaveLength(1)
      expect(logIns).not.toContain(pathIn(locale, '/login'))
      await visitor.leave()
    })
  }

  testOnce('Enter in the registration shows the errors, and keeps the input', async () => {
    const visitor = await newVisitor(shop.url, { locale, viewport })
    const { page } = visitor
    const sent = Promise.withResolvers<void>()
    await withoutCache(page)
    await page.route(/RegisterForm\..*\.js$/, async (route) => {
      await sent.promise
      await route.continue()
    })
    await page.goto(pathIn(locale, '/register'), { waitUntil: 'commit' })
    const name = page.getByLabel(uiText(locale, 'account:register.username'), { exact: true })
    await name.fill('amal')
    await name.press('Enter')
    sent.resolve()
    await page.getByText(uiText(locale, 'account:register.errors.required')).first().waitFor()
    await expect.poll(() => name.inputValue()).toBe('amal')
    await expect.poll(() => page.locator('#main .field__error').count()).toBeGreaterThanOrEqual(6)
    await visitor.leave()
  })

  testOnce('without script the forms say so and offer nothing to send', async () => {
    const visitor = await newVisitor(shop.url, { locale, viewport, javaScriptEnabled: false })
    const { page } = visitor
    for (const path of ['/login', '/register']) {
      await page.goto(inLanguage(locale, path))
      await expect
        .poll(() => page.locator('main noscript').textContent())
        .toContain(uiText(locale, 'account:noScript'))
      await expect.poll(() => page.locator('main button[type=submit]').isVisible()).toBe(false)
    }
    await visitor.leave()
  })
})
