import { expect, test } from 'vitest'
import type { Locale } from '../../../src/i18n/locales.ts'
import { pathIn } from '../../../src/i18n/paths.ts'
import { OFFICE_PAGES, OFFICE_PATHS, type OfficePath } from '../../../src/rules/pages.ts'
import { OFFICE_TOKEN_KEY } from '../../../src/rules/storage-keys.ts'
import { newVisitor, withoutCache } from '../../support/browser.ts'
import { logInCast } from '../../support/scenes/cast.ts'
import { shopForFile } from '../../support/stage.ts'
import { OFFICE_FIRST_VISIT_MAX_BYTES, pageWeigher } from '../../support/weight.ts'

const shop = shopForFile()

// The demo's teacher has documents, sales and a payout: the data that pages load is weighed too.
// The French pages load the same files around another page. The two halves of the pages are weighed
// concurrently, since most of a visit is waiting for an idle network.
test('office pages are light at the first visit on a phone, in Arabic and in French', async () => {
  const { teacher, administrator } = await logInCast(shop.url)
  const { body } = await shop.send({ token: teacher }, 'GET', '/office/documents?size=1')
  const { body: review } = await shop.send(
    { token: administrator },
    'GET',
    '/office/admin/review?what=version',
  )
  const { body: orders } = await shop.send({ token: administrator }, 'GET', '/office/admin/orders')
  const { body: conversations } = await shop.send(
    { token: administrator },
    'GET',
    '/office/admin/conversations',
  )
  const queries: Readonly<Record<string, string>> = {
    '/office/document': `?id=${body.content[0].id}`,
    '/office/sample': `?id=${body.content[0].id}`,
    '/office/review-document': `?id=${review.content[0].id}`,
    '/office/order': `?id=${orders.content[0].id}`,
    '/office/person': `?id=${orders.content[0].buyer.id}`,
    '/office/wallet': `?id=${orders.content[0].buyer.id}`,
    '/office/conversations': `?room=${conversations.content[0].roomId}`,
  }
  const weighAll = async (paths: typeof OFFICE_PATHS) => {
    const visitor = await newVisitor(shop.url, { locale: 'ar', allowed: [/./] })
    const { page } = visitor
    // The page images of a document do not count as the page's weight, nor does the live connection,
    // which the conversations open two seconds after they are shown: a slow machine still loads then.
    const notCounted = ['*/api/preview/*', '*/_astro/live.*.js']
    const weigh = await pageWeigher(page, await withoutCache(page), notCounted)
    for (const path of paths) {
      const facts = OFFICE_PAGES[path]
      // Not a page of the shop, which would react to the logged-in user.
      await page.goto('/robots.txt')
      await page.evaluate(() => {
        localStorage.clear()
        sessionStorage.clear()
      })
      if (!('isOpen' in facts)) {
        const token = 'role' in facts && facts.role === 'ADMIN' ? administrator : teacher
        await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
          OFFICE_TOKEN_KEY,
          token,
        ] as const)
      }
      // The page for a new draft is weighed without the redirect to the draft.
      const isNew = path === '/office/documents/new'
      if (isNew) await page.route('**/office/document?*', (route) => route.fulfill({ status: 204 }))
      const { total, files } = await weigh(pathIn('ar', path) + (queries[path] ?? ''))
      if (isNew) await page.unroute('**/office/document?*')
      const [arabic, french] = await Promise.all([sentPage('ar', path), sentPage('fr', path)])
      expect(arabic.bytes, path).toBeGreaterThan(0)
      expect(french.files, path).toEqual(arabic.files)
      const heaviest = Math.max(total, total - arabic.bytes + french.bytes)
      expect
        .soft(heaviest, `${path} ${JSON.stringify(files.slice(0, 12), null, 1)}`)
        .toBeLessThanOrEqual(OFFICE_FIRST_VISIT_MAX_BYTES)
    }
    await visitor.leave()
  }
  const halves = [0, 1].map((half) => OFFICE_PATHS.filter((_, at) => at % 2 === half))
  await Promise.all(halves.map(weighAll))
})

/** The size of an office page on the wire, and the files that it names. */
async function sentPage(locale: Locale, path: OfficePath) {
  const response = await fetch(shop.url + pathIn(locale, path), {
    headers: { 'accept-encoding': 'br' },
  })
  const html = await response.text()
  return {
    bytes: Number(response.headers.get('content-length')),
    files: new Set(html.match(/\/_astro\/[\w.-]+/g)),
  }
}
