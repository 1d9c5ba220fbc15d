import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../src/rules/durations.ts'
import { OFFICE_TOKEN_KEY } from '../../../src/rules/storage-keys.ts'
import { newVisitor, type Visitor } from '../../support/browser.ts'
import { PASSWORD } from '../../support/people.ts'
import { button } from '../../support/scene-steps.ts'
import { sharedShop } from '../../support/stage.ts'
import { logIn } from '../../support/steps.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

/** Another page of the visitor, on a device whose clock is wrong by this much (ms). */
async function pageAt({ context }: Visitor, shift: number): Promise<Page> {
  // Not of the pool: what is added to a page stays on it.
  const page = await context.newPage()
  await page.addInitScript((by) => {
    const RealDate = Date
    globalThis.Date = class extends RealDate {
      constructor(...given: [number]) {
        super(...((given.length > 0 ? given : [RealDate.now() + by]) as [number]))
      }
      static override now = () => RealDate.now() + by
    } as DateConstructor
  }, shift)
  return page
}

const kept = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key)
const sessionOn = (page: Page) => page.locator('html').getAttribute('data-session')

const CLOCKS = [
  ['two days ahead', 48 * HOUR_MS],
  ['two days behind', -48 * HOUR_MS],
] as const

test.each(CLOCKS)(
  'a device whose clock is %s logs in, and out when its session ends',
  async (_, shift) => {
    const parent = await shop.aCustomer()
    const visitor = await newVisitor(shop.url, { locale: 'fr', allowed: [/ERR_FAILED/] })
    const page = await pageAt(visitor, shift)
    await page.goto('/fr/login')
    // Pasted from a right-to-left message.
    await logIn(page, 'fr', `\u200f${parent.email}\u200f`)
    await page.waitForURL((url) => url.pathname !== '/fr/login')
    for (const path of ['/fr/shop', '/fr/my-documents', '/fr/chat']) {
      await page.goto(path)
      await expect.poll(() => sessionOn(page)).toBe('in')
      expect(new URL(page.url()).pathname).toBe(path)
      expect(await kept(page, 'token')).not.toBeNull()
    }
    // Eleven hours later it still is, and after twelve it is no more, although nobody asked the server.
    const later = await pageAt(visitor, shift + 11 * HOUR_MS)
    await later.route('**/api/**', (route) => route.abort())
    await later.goto('/fr/shop')
    expect(await sessionOn(later)).toBe('in')
    const ended = await pageAt(visitor, shift + 12 * HOUR_MS + MINUTE_MS)
    await ended.route('**/api/**', (route) => route.abort())
    await ended.goto('/fr/shop')
    expect(await sessionOn(ended)).toBe('out')
    await expect.poll(() => kept(page, 'token')).toBeNull()
    for (const each of [page, later, ended]) await each.close()
  },
)

test('the office, too, is open to a device whose clock is wrong', async () => {
  const { email } = await shop.anOfficeTeacher()
  const visitor = await newVisitor(shop.url, { locale: 'fr' })
  for (const [, shift] of CLOCKS) {
    const page = await pageAt(visitor, shift)
    await page.goto('/fr/office/login')
    await page
      .getByLabel(uiText('fr', 'office-access:fields.username'))
      .fill(`\u2068${email}\u2069`)
    await page
      .getByLabel(uiText('fr', 'office-access:fields.password'), { exact: true })
      .fill(PASSWORD)
    await button(page, 'fr', 'office-access:login.submit').click()
    await page.waitForURL((url) => url.pathname === '/fr/office')
    await page.goto('/fr/office/documents')
    expect(await page.locator('html').getAttribute('data-office-role')).toBe('TEACHER')
    await page.evaluate((key) => localStorage.removeItem(key), OFFICE_TOKEN_KEY)
    await page.close()
  }
})
