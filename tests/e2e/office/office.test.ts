import type { Page, Route } from 'playwright'
import { describe, expect, test } from 'vitest'
import type { Locale } from '../../../src/i18n/locales.ts'
import { inLanguage, pathIn } from '../../../src/i18n/paths.ts'
import { OFFICE_KEPT_PREFIX, OFFICE_TOKEN_KEY } from '../../../src/rules/storage-keys.ts'
import { DESKTOP, newVisitor, PHONE, untilHydrated, type Visitor } from '../../support/browser.ts'
import { hasFocus, tabTo } from '../../support/keyboard.ts'
import type { Person } from '../../support/people.ts'
import { PERSONAS, type Persona, shopForFile } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'
import { aToken } from '../../support/token.ts'

const shop = shopForFile()

/** A visitor with the office's token in a browser of their own, on no page yet. */
async function loggedInStaff(
  { token }: Pick<Person, 'token'>,
  options: Parameters<typeof newVisitor>[1],
): Promise<Visitor> {
  const visitor = await newVisitor(shop.url, options)
  await visitor.page.goto('/robots.txt')
  await visitor.page.evaluate(([key, value]) => localStorage.setItem(key, value), [
    OFFICE_TOKEN_KEY,
    token,
  ] as const)
  return visitor
}

/** Stubs a teacher's pending work with as many documents in each state. */
async function stubPendingWork(page: Page, states: Record<string, number>): Promise<void> {
  const documents = { content: [], totalElements: 0, totalPages: 0, number: 0, size: 1, states }
  await page.route('**/api/office/documents?*', (route: Route) =>
    route.fulfill({ json: documents }),
  )
}

const lines = (page: Page) => page.locator('.waits__line')

test.each(PERSONAS)(
  'are opened only by their role: $who',
  async ({ locale, viewport }: Persona) => {
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
      const visitor = await loggedInStaff({ token }, { locale, viewport, allowed })
      await visitor.page.goto(pathIn(locale, '/office/orders'))
      await visitor.page.waitForURL(/\/office\/login\?/, { waitUntil: 'commit' })
      expect(new URL(visitor.page.url()).pathname, who).toBe(pathIn(locale, '/office/login'))
      await visitor.leave()
    }

    const unsafe = await loggedInStaff(lacking, { locale, viewport, allowed })
    await unsafe.page.route('**/api/office/me', async (route) => {
      const json = await (await route.fetch()).json()
      await route.fulfill({ json: { ...json, lacksSecondFactor: true } })
    })
    await unsafe.page.goto(pathIn(locale, '/office/orders'))
    await unsafe.page.waitForURL(`${shop.url}${pathIn(locale, '/office/security')}`)
    await unsafe.leave()

    for (const [person, path, whose] of [
      [teacher, '/office/orders', 'ADMIN'],
      [administrator, '/office/documents', 'TEACHER'],
    ] as const) {
      const visitor = await loggedInStaff(person, { locale, viewport, allowed })
      const { page } = visitor
      await page.goto(pathIn(locale, path))
      await page.getByText(uiText(locale, `office:otherRole.${whose}`)).waitFor()
      expect(await page.locator('.office__content').isVisible()).toBe(false)
      await page.locator('main').getByRole('link').last().click()
      await page.waitForURL(`${shop.url}${pathIn(locale, '/office')}`)
      await visitor.leave()
    }
  },
)

describe.each(PERSONAS)('$who', ({ locale, viewport }: Persona) => {
  const isPhone = viewport === PHONE
  /** Where the name, the menu and the log-out are: at the start, or behind "more". */
  const opened = async (page: Page) => {
    if (!isPhone) return page.locator('.office__side')
    await page.locator('.office-bar:visible button').click()
    return page.locator('.office-more:popover-open')
  }

  test('a logged-out visitor is redirected to the log-in, and back to the page', async () => {
    const visitor = await newVisitor(shop.url, { locale, viewport, allowed: [/status of 404/] })
    await visitor.page.goto(`${pathIn(locale, '/office')}?page=2`)
    await visitor.page.waitForURL(/\/office\/login\?/)
    const { pathname, searchParams } = new URL(visitor.page.url())
    expect(pathname).toBe(inLanguage(locale, '/office/login'))
    expect(searchParams.get('returnTo')).toBe(`${pathIn(locale, '/office')}?page=2`)
    await visitor.leave()
  })

  test('a teacher sees pending work in words, and leaves nothing behind at log-out', async () => {
    const teacher = await shop.anOfficeTeacher({ firstName: 'سلمى', lastName: 'الزواري' })
    const allowed = [/status of 404/]
    const visitor = await loggedInStaff(teacher, { locale, viewport, allowed })
    const { page } = visitor
    await stubPendingWork(page, { returned: 2, draft: 3, submitted: 1 })
    await page.goto(pathIn(locale, '/office'))
    await expect.poll(() => lines(page).count()).toBe(3)

    const panel = await opened(page)
    await panel.getByText('سلمى الزواري').waitFor()
    await page.evaluate((key) => localStorage.setItem(key, '1'), `${OFFICE_KEPT_PREFIX}7:x`)
    await panel.getByRole('button', { name: uiText(locale, 'office:staff.logout') }).click()
    await page.waitForURL(/\/office\/login$/)
    const left = await page.evaluate(() => Object.keys(localStorage))
    expect(left.filter((key) => key.startsWith('karras-office'))).toEqual([])
    await visitor.leave()
  })

  test('no pending work is shown kindly; a failure to load can be retried', async () => {
    const visitor = await loggedInStaff(await shop.anOfficeTeacher(), {
      locale,
      viewport,
      allowed: [/ERR_FAILED/],
    })
    const { page } = visitor
    await page.route('**/api/office/documents?*', (route) => route.abort())
    await page.goto(pathIn(locale, '/office'))
    await page.getByText(uiText(locale, 'office:home.failed.title')).waitFor()
    await page.unroute('**/api/office/documents?*')
    await stubPendingWork(page, {})
    await page.getByRole('button', { name: uiText(locale, 'office:home.failed.retry') }).click()
    await page.getByText(uiText(locale, 'office:home.nothing.title')).waitFor()
    await visitor.leave()
  })

  test('the language picker leads to the same page, in the other language', async () => {
    const other: Locale = locale === 'ar' ? 'fr' : 'ar'
    const administrator = await shop.anOfficeAdministrator()
    const visitor = await loggedInStaff(administrator, { locale, viewport })
    const { page } = visitor
    await page.goto(`${pathIn(locale, '/office')}?state=draft`)
    await page.getByText(uiText(locale, 'office-waiting:page.noBackup')).waitFor()
    await page.locator('.picker__button').click()
    await page.locator(`.picker__list a[lang="${other}"]`).click()
    await page.waitForURL(`${shop.url}${pathIn(other, '/office')}?state=draft`)
    await page.getByText(uiText(other, 'office-waiting:page.noBackup')).waitFor()
    await visitor.leave()
  })

  test('a session that the server ends redirects to the log-in, in every tab', async () => {
    const visitor = await loggedInStaff(await shop.anOfficeTeacher(), {
      locale,
      viewport,
      allowed: [/status of 40[14]/],
    })
    const { page, context } = visitor
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
    await visitor.leave()
  })
})

describe.each(['ar', 'fr'] as const)('by keyboard alone, in %s', (locale) => {
  test('past the menu, to the pending work, to the other pages and out', async () => {
    const visitor = await loggedInStaff(await shop.anOfficeTeacher(), {
      locale,
      viewport: DESKTOP,
      allowed: [/status of 404/],
    })
    const { page } = visitor
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
    await tabTo(page, page.locator('.office__side').getByRole('button'))
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/office\/login$/)
    await visitor.leave()
  })
})
