import type { Page } from 'playwright'
import { expect } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import type { OfficePath } from '../../../src/rules/pages.ts'
import { DEMO_PASSWORD } from '../../../src/server/demo/demo.ts'
import { authenticatorCode } from '../../support/authenticator.ts'
import { fill, newVisitor, untilHydrated, type Visitor } from '../../support/browser.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { mailedLink } from '../../support/steps.ts'
import { type KeyIn, uiText } from '../../support/texts.ts'

const shop = sharedShop()

const PASSWORD = 'لوز وياسمين 2026'

/** Clears the office's storage without a log-out. */
async function clearStorage(page: Page): Promise<void> {
  // Not a page of the shop, which would react at once.
  await page.goto('/robots.txt')
  await page.evaluate(() => localStorage.clear())
}

const mailTo = (email: string) => mailedLink(shop.dataDir, email)

journeys('access to the office', ({ locale, viewport }, test) => {
  const text = (key: KeyIn<'office-access'>) => uiText(locale, `office-access:${key}`)
  const button = (page: Page, key: KeyIn<'office-access'>) =>
    page.locator('main').getByRole('button', { name: text(key), exact: true })
  const at = (page: Page, path: OfficePath) =>
    page.waitForURL((url) => url.pathname === pathIn(locale, path))
  const enter = async (page: Page, username: string, password: string) => {
    await untilHydrated(page)
    await fill(page, text('fields.username'), username)
    await fill(page, text('fields.password'), password)
    await page.keyboard.press('Enter')
  }
  const come = (allowed: RegExp[] = []): Promise<Visitor> =>
    newVisitor(shop.url, { viewport, locale, allowed })

  test('an invitation makes a teacher, who sets up a second factor and needs it from then on', async () => {
    const email = `invited-${locale}@karras.test`
    const printed = await shop.office('invite-teacher', email, '--language', locale, '--json')
    const link = new URL(JSON.parse(printed).link)
    const { page } = await come([/status of 40[013]/])
    await page.goto(link.pathname + link.search)
    await page.getByText(email).waitFor()
    await button(page, 'invitation.submit').click()
    await expect.poll(() => page.locator('.field__error').count()).toBe(4)
    await fill(page, text('fields.firstName'), 'أميرة')
    await fill(page, text('fields.lastName'), 'الطرابلسي')
    await fill(page, text('fields.password'), PASSWORD)
    await fill(page, text('fields.confirmPassword'), PASSWORD)
    await button(page, 'invitation.submit').click()
    await at(page, '/office')

    await page.goto(pathIn(locale, '/office/security'))
    await page.getByText(text('security.off')).waitFor()
    await button(page, 'security.start').click()
    await page.locator('.security__form input[name="password"]').first().fill('wrong')
    await button(page, 'security.continue').click()
    await page.getByText(uiText(locale, 'errors:codes.wrong_password')).waitFor()
    await page.locator('.security__form input[name="password"]').first().fill(PASSWORD)
    await button(page, 'security.continue').click()
    await page.getByAltText(text('security.picture')).waitFor()
    const secret = await page.locator('.security__secret').innerText()
    await fill(page, text('security.firstCode'), authenticatorCode(secret, Date.now()))
    await button(page, 'security.confirm').click()
    const codes = page.locator('.security__list code')
    await expect.poll(() => codes.count()).toBe(10)
    const [first = '', second = ''] = await codes.allInnerTexts()
    await button(page, 'security.saved').click()
    await page.getByText(text('security.on'), { exact: true }).waitFor()

    // Logged out, the requested page opens after both steps.
    await clearStorage(page)
    await page.goto(pathIn(locale, '/office/security'))
    await at(page, '/office/login')
    await enter(page, email, PASSWORD)
    await page.getByRole('heading', { name: text('login.step') }).waitFor()
    await fill(page, text('fields.code'), '000000')
    await page.keyboard.press('Enter')
    await page.getByText(uiText(locale, 'office-errors:codes.wrong_code')).waitFor()
    await button(page, 'login.useRecovery').click()
    await fill(page, text('login.recovery'), first.toLowerCase())
    await page.keyboard.press('Enter')
    await at(page, '/office/security')

    await button(page, 'security.sessionsSubmit').click()
    await page.getByText(text('security.sessionsDone')).waitFor()
    await button(page, 'security.turnOff').click()
    await page.locator('.security__form input[name="password"]').first().fill(PASSWORD)
    await page.locator('.security__form input[name="code"]').fill(second)
    await button(page, 'security.turnOff').click()
    await page.getByText(text('security.off')).waitFor()
    // The link is used up.
    await clearStorage(page)
    await page.goto(link.pathname + link.search)
    await page.getByText(text('invitation.spent')).waitFor()
    await page.goto(link.pathname)
    await page.getByText(text('invitation.incomplete')).waitFor()
  })

  test('a teacher opens an account with the mailed link, which is approved later', async () => {
    const email = `join-${locale}@karras.test`
    const { page } = await come()
    await page.goto(pathIn(locale, '/office/join'))
    await untilHydrated(page)
    await button(page, 'join.submit').click()
    await expect.poll(() => page.locator('.field__error').count()).toBe(5)
    await fill(page, text('fields.firstName'), 'Amira')
    await fill(page, text('fields.lastName'), 'Trabelsi')
    await fill(page, text('fields.email'), email)
    await fill(page, text('fields.phone'), '98 000 000')
    await fill(page, text('join.subjects'), 'رياضيات')
    await button(page, 'join.submit').click()
    await page.getByRole('heading', { name: text('join.sent') }).waitFor()
    const link = await mailTo(email)
    await page.goto(link.pathname + link.search)
    await untilHydrated(page)
    await fill(page, text('fields.password'), PASSWORD)
    await button(page, 'join.confirm').click()
    await at(page, '/office')
    await page.getByText(uiText(locale, 'office:home.lines.approval')).waitFor()
    await page.getByRole('link', { name: uiText(locale, 'office:home.lines.first') }).click()
    await at(page, '/office/many')
    await page.goto(pathIn(locale, '/office/payouts'))
    await page.getByText(uiText(locale, 'office-earnings:payouts.ask.unapproved')).waitFor()

    const { requests } = await shop.call('listJoinRequests')
    const request = requests.find((each: { email: string }) => each.email === email)
    expect(request).toMatchObject({ subjects: 'رياضيات', userId: expect.any(Number) })
    await shop.call('acceptJoinRequest', `id=${request.id}`)
    await page.reload()
    await page.getByText(uiText(locale, 'office-earnings:payouts.ask.unapproved')).waitFor({
      state: 'detached',
    })
    await page.goto(pathIn(locale, '/office'))
    await page.getByText(uiText(locale, 'office:home.lines.profile')).waitFor()
    expect(await page.getByText(uiText(locale, 'office:home.lines.approval')).count()).toBe(0)
  })

  test('the demo teacher and administrator log in by keyboard; others are told where to go', async () => {
    const { page } = await come([/status of 40[13]/])
    await page.goto(pathIn(locale, '/office/login'))
    await enter(page, 'teacher@karras.test', 'wrong')
    await page.getByText(uiText(locale, 'errors:codes.wrong_credentials')).waitFor()
    await enter(page, 'parent@karras.test', DEMO_PASSWORD)
    await page.getByText(text('login.customer')).waitFor()
    for (const email of ['teacher@karras.test', 'admin@karras.test']) {
      await clearStorage(page)
      await page.goto(pathIn(locale, '/office/login'))
      await untilHydrated(page)
      await page.getByLabel(text('fields.username')).focus()
      await page.keyboard.type(email)
      await page.keyboard.press('Tab')
      await page.keyboard.type(DEMO_PASSWORD)
      await page.keyboard.press('Enter')
      await at(page, '/office')
    }
  })
})
