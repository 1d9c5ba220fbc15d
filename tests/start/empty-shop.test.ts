import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LOCALES } from '../../src/i18n/locales.ts'
import { inLanguage } from '../../src/i18n/paths.ts'
import { type ShopProcess, spawnShop } from '../support/shop-process.ts'
import { aDataDir, deleteDataDirs } from '../support/started-shop.ts'
import { uiText } from '../support/texts.ts'

let shop: ShopProcess

beforeAll(async () => {
  const SITE_URL = 'https://shop.example'
  shop = await spawnShop({ NODE_ENV: 'production', DATA_DIR: await aDataDir(), SITE_URL })
})
afterAll(async () => {
  await shop?.stop()
  await deleteDataDirs()
})

test('in production a shop opens with only SITE_URL and DATA_DIR: no sandbox, no demo', async () => {
  expect(shop.output()).not.toContain('demo account')
  expect((await fetch(`${shop.url}/api/documents/1`)).status).toBe(404)
  expect((await fetch(`${shop.url}/api/payments/sandbox/abc`)).status).toBe(404)
  const charging = await (await fetch(`${shop.url}/charging`)).text()
  // It begins without an account to which money could be sent.
  expect(charging).not.toMatch(/value="(?:d17|gateway)"/)
})

describe.each(LOCALES)('a real shop without documents and facts, in %s', (locale) => {
  const read = async (path: '/' | '/contact' | '/charging' | '/checkout' | '/teachers') => {
    const answer = await fetch(shop.url + inLanguage(locale, path))
    expect(answer.status).toBe(200)
    return answer.text()
  }

  test('has a home without empty rows, and ranks nothing that nobody bought', async () => {
    const home = await read('/')
    for (const id of ['featured', 'bestsellers', 'teachers-books', 'teachers']) {
      expect(home).not.toContain(`aria-labelledby="${id}"`)
    }
    expect(home.split(uiText(locale, 'home:empty'))).toHaveLength(2)
    expect(home).toMatch(/<meta property="og:image" content="https:\/\/shop\.example\/media\/og\//)
  })

  test('shows nothing in the place of what it has not said of itself', async () => {
    for (const path of ['/', '/contact', '/teachers'] as const) {
      const html = await read(path)
      expect(html).not.toMatch(/href="(?:tel|mailto):|topbar__phone|data-map|71 000 000|KARRAS/)
      expect(html).not.toMatch(/"(?:email|telephone|sameAs)":/)
      expect(html).not.toContain(`${uiText(locale, 'common:footer.contact')}</h2>`)
    }
    expect(await read('/contact')).toContain(uiText(locale, 'content:contact.openChat'))
    expect(await read('/charging')).toContain(uiText(locale, 'charging:page.notOpen'))
  })
})
