import { expect, test } from 'vitest'
import { inLanguage, pathIn } from '../../../src/i18n/paths.ts'
import { RUN } from '../../support/amount.ts'
import { newVisitor, type VisitorOptions } from '../../support/browser.ts'
import { ARABIC, FRENCH, journeys, sharedShop } from '../../support/stage.ts'
import { aToken } from '../../support/token.ts'

const shop = sharedShop()

const PAGES = [
  '/',
  '/login',
  '/register',
  '/forget-password',
  '/reset-password',
  '/shop',
  '/shop-details/1',
  '/teacher-details/1',
  '/teachers',
  '/team',
  '/about',
  '/contact',
  '/faq',
  '/checkout',
  '/wishlist',
  '/my-documents',
  '/charging',
  '/chat',
  '/order',
  '/error',
  '/no-such-page',
]

/** A visitor whose browser stores this token, on no page of the shop yet. */
async function visitorWithToken(token: string, options: VisitorOptions) {
  const visitor = await newVisitor(shop.url, options)
  await visitor.page.goto('/robots.txt')
  const keep = () =>
    visitor.page.evaluate((storedToken) => localStorage.setItem('token', storedToken), token)
  await keep()
  return { visitor, keep }
}
const storedToken = (page: { evaluate<T>(read: () => T): Promise<T> }) =>
  page.evaluate(() => localStorage.getItem('token'))

const isEveryPage = RUN === 'long'

// The token check does not depend on the language or the page: each kind runs on half of the pages,
// and in `npm run test:long` on all.
test.each([
  { what: 'cannot be decoded', token: 'rubbish', half: 0, ...ARABIC },
  { what: 'has expired', token: aToken({ expiresIn: -60 }), half: 1, ...FRENCH },
])(
  'a token that $what is removed on whatever page it is found, $who',
  async ({ token, half, locale, viewport }) => {
    const options = { locale, viewport, allowed: [/status of 404/] }
    const { visitor, keep } = await visitorWithToken(token, options)
    for (const path of PAGES.filter((_, at) => isEveryPage || at % 2 === half)) {
      await keep()
      const page = await visitor.context.newPage()
      await page.goto(inLanguage(locale, path), { waitUntil: 'domcontentloaded' })
      // Checked from outside: pages for logged-in users redirect to the log-in meanwhile.
      await expect.poll(() => storedToken(visitor.page), { message: path }).toBeNull()
      // Not awaited: a page that is navigating sometimes never reports that it is closed.
      page.close().catch(() => {})
    }
  },
)

journeys('an invalid token', ({ locale, viewport }, test) => {
  test('that the server refuses is removed at the first 401', async () => {
    // Well-formed, but with an invalid signature.
    const options = { locale, viewport, allowed: [/status of 401/] }
    const { visitor } = await visitorWithToken(aToken({ userId: 1 }), options)
    const { page } = visitor
    await page.goto(pathIn(locale, '/wishlist'))
    await expect.poll(() => storedToken(page)).toBeNull()
    await expect.poll(() => page.locator('html').getAttribute('data-session')).toBe('out')
  })
})
