import type { Page, Route } from 'playwright'
import { expect, onTestFinished, test } from 'vitest'
import type { Locale } from '../../../src/i18n/locales.ts'
import { inLanguage, pathIn } from '../../../src/i18n/paths.ts'
import { OFFICE_KEPT_PREFIX } from '../../../src/rules/storage-keys.ts'
import { noteTrouble, noteWorking } from '../../../src/server/troubles/troubles.ts'
import { atOffice, newVisitor, PHONE, untilHydrated } from '../../support/browser.ts'
import { hasFocus, tabTo } from '../../support/keyboard.ts'
import { button } from '../../support/scene-steps.ts'
import { FRENCH, journeys, sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'
import { aToken } from '../../support/token.ts'

const shop = sharedShop()

/** Stubs a teacher's pending work with as many documents in each state. */
async function stubPendingWork(page: Page, states: Record<string, number>): Promise<void> {
  const documents = { content: [], totalElements: 0, totalPages: 0, number: 0, size: 1, states }
  await page.route('**/api/office/documents?*', (route: Route) =>
    route.fulfill({ json: documents }),
  )
}

const lines = (page: Page) => page.locator('.waits__line')

journeys('the office', (person, test) => {
  const { locale, viewport } = person
  test('are opened only by their role', async () => {
    const [teacher, administrator, lacking, blocked] = await Promise.all([
      shop.anOfficeTeacher(),
      shop.anOfficeAdministrator(),
      shop.anOfficeAdministrator(),
      shop.anOfficeAdministrator(),
    ])
    const reason = 'Left the shop'
    await shop.send(administrator, 'POST', `/office/admin/people/${blocked.id}/block`, { reason })
    const allowed = [/status of 40[134]/]

    const isLedToLogIn = [
      ['a parent', aToken()],
      ['an expired administrator', aToken({ authorities: ['ADMIN'], expiresIn: -1 })],
      ['a blocked administrator', blocked.token],
    ] as const
    for (const [who, token] of isLedToLogIn) {
      const visitor = await atOffice(shop.url, { token }, { ...person, allowed })
      await visitor.page.goto(pathIn(locale, '/office/orders'))
      await visitor.page.waitForURL(/\/office\/login\?/, { waitUntil: 'commit' })
      expect(new URL(visitor.page.url()).pathname, who).toBe(pathIn(locale, '/office/login'))
      await visitor.leave()
    }

    const unsafe = await atOffice(shop.url, lacking, { ...person, allowed })
    await unsafe.page.route('**/api/office/me', async (route) => {
      const json = await (await route.fetch()).json()
      await route.fulfill({ json: { ...json, lacksSecondFactor: true } })
    })
    await unsafe.page.goto(pathIn(locale, '/office/orders'))
    await unsafe.page.waitForURL(`${shop.url}${pathIn(locale, '/office/security')}`)
    await unsafe.leave()

    for (const [staff, path, whose] of [
      [teacher, '/office/orders', 'ADMIN'],
      [administrator, '/office/documents', 'TEACHER'],
    ] as const) {
      const visitor = await atOffice(shop.url, staff, { ...person, allowed })
      const { page } = visitor
      await page.goto(pathIn(locale, path))
      await page.getByText(uiText(locale, `office:otherRole.${whose}`)).waitFor()
      expect(await page.locator('.office__content').isVisible()).toBe(false)
      await page.locator('main').getByRole('link').last().click()
      await page.waitForURL(`${shop.url}${pathIn(locale, '/office')}`)
      await visitor.leave()
    }
  })

  const isPhone = viewport === PHONE

  test('a logged-out visitor is redirected to the log-in, and back to the page', async () => {
    const visitor = await newVisitor(shop.url, { ...person, allowed: [/status of 404/] })
    await visitor.page.goto(`${pathIn(locale, '/office')}?page=2`)
    await visitor.page.waitForURL(/\/office\/login\?/)
    const { pathname, searchParams } = new URL(visitor.page.url())
    expect(pathname).toBe(inLanguage(locale, '/office/login'))
    expect(searchParams.get('returnTo')).toBe(`${pathIn(locale, '/office')}?page=2`)
  })

  test('a teacher sees pending work in words, and leaves nothing behind at log-out', async () => {
    const teacher = await shop.anOfficeTeacher({ firstName: 'سلمى', lastName: 'الزواري' })
    const allowed = [/status of 404/]
    const { page } = await atOffice(shop.url, teacher, { ...person, allowed })
    await stubPendingWork(page, { returned: 2, draft: 3, submitted: 1 })
    await page.goto(pathIn(locale, '/office'))
    await expect.poll(() => lines(page).count()).toBe(3)

    // In view on every screen, at the start or at the top.
    const frame = page.locator('.office__side')
    await frame.locator('.office__logo').waitFor()
    await frame.getByText('سلمى الزواري').waitFor()
    await page.evaluate((key) => localStorage.setItem(key, '1'), `${OFFICE_KEPT_PREFIX}7:x`)
    await button(frame, locale, 'office:staff.logout').click()
    await page.waitForURL(/\/office\/login$/)
    const left = await page.evaluate(() => Object.keys(localStorage))
    expect(left.filter((key) => key.startsWith('karras-office'))).toEqual([])
  })

  test('no pending work is shown kindly; a failure to load can be retried', async () => {
    const { page } = await atOffice(shop.url, await shop.anOfficeTeacher(), {
      ...person,
      allowed: [/ERR_FAILED/],
    })
    await page.route('**/api/office/documents?*', (route) => route.abort())
    await page.goto(pathIn(locale, '/office'))
    await page.getByText(uiText(locale, 'office:home.failed.title')).waitFor()
    await page.unroute('**/api/office/documents?*')
    await stubPendingWork(page, {})
    await button(page, locale, 'office:home.failed.retry').click()
    await page.getByText(uiText(locale, 'office:home.nothing.title')).waitFor()
  })

  test('the language picker leads to the same page, in the other language', async () => {
    const other: Locale = locale === 'ar' ? 'fr' : 'ar'
    const administrator = await shop.anOfficeAdministrator()
    const { page } = await atOffice(shop.url, administrator, person)
    await page.goto(`${pathIn(locale, '/office')}?state=draft`)
    await page.getByText(uiText(locale, 'office-waiting:page.noBackup')).waitFor()
    if (isPhone) await page.locator('.office-bar:visible button').click()
    await page.locator('.picker__button').click()
    await page.locator(`.picker__list a[lang="${other}"]`).click()
    await page.waitForURL(`${shop.url}${pathIn(other, '/office')}?state=draft`)
    await page.getByText(uiText(other, 'office-waiting:page.noBackup')).waitFor()
  })

  test('a proxy that is not trusted waits for administrators, with what to do', async () => {
    const noting = { database: shop.database, now: Date.now, report: () => {} }
    onTestFinished(() => noteWorking(noting, 'proxy'))
    await noteTrouble(noting, 'proxy', '10.0.0.5 names its clients, but is not in TRUSTED_PROXIES')
    const { page } = await atOffice(shop.url, await shop.anOfficeAdministrator(), person)
    await page.goto(pathIn(locale, '/office'))
    const title = uiText(locale, 'office-waiting:page.waits.proxy')
    const row = page.locator('.desk__kind', { hasText: title })
    await row.getByText('10.0.0.5').waitFor()
    await row.getByText(uiText(locale, 'office-waiting:page.advice.proxy')).waitFor()
  })

  test('a session that the server ends redirects to the log-in, in every tab', async () => {
    const { page, context } = await atOffice(shop.url, await shop.anOfficeTeacher(), {
      ...person,
      allowed: [/status of 40[14]/],
    })
    const second = await context.newPage()
    for (const tab of [page, second]) await stubPendingWork(tab, {})
    await second.goto(pathIn(locale, '/office'))
    await untilHydrated(second)
    await page.route('**/api/office/me', (route) =>
      route.fulfill({ status: 401, json: { status: 401, error: 'invalid_token', message: '' } }),
    )
    // Redirected before its load has ended, sometimes more than once.
    await page.goto(pathIn(locale, '/office'), { waitUntil: 'commit' })
    for (const tab of [page, second]) {
      await expect.poll(() => tab.url()).toMatch(/\/office\/login\?returnTo=/)
    }
  })
})

test('by keyboard alone, past the menu, to the pending work, to the other pages and out', async () => {
  const { locale } = FRENCH
  const { page } = await atOffice(shop.url, await shop.anOfficeTeacher(), {
    ...FRENCH,
    allowed: [/status of 404/],
  })
  await stubPendingWork(page, { returned: 1 })
  await page.goto(pathIn(locale, '/office'))
  await lines(page).first().waitFor()
  await page.keyboard.press('Tab')
  await expect.poll(() => hasFocus(page.locator('.skip'))).toBe(true)
  await page.keyboard.press('Enter')
  await expect.poll(() => hasFocus(page.locator('#main'))).toBe(true)
  await page.goto(pathIn(locale, '/office'))
  await untilHydrated(page)
  await tabTo(page, page.locator('.office-menu:visible a').first())
  const picker = page.locator('.picker__button')
  await tabTo(page, picker)
  await page.keyboard.press('Enter')
  await page.locator('.picker__list').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => hasFocus(picker)).toBe(true)
  await page.goto(pathIn(locale, '/office'))
  await untilHydrated(page)
  await tabTo(page, button(page, locale, 'office:staff.logout'))
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/office\/login$/)
})
