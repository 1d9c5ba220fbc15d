import { expect, test } from 'vitest'
import { LOCALES } from '../../../src/i18n/locales.ts'
import { pathIn } from '../../../src/i18n/paths.ts'
import { browser } from '../../support/browser.ts'
import { shopForFile } from '../../support/stage.ts'

const shop = shopForFile()

/**
 * Texts of the elements of a name, by the browser's own XML parser; fails if the XML is not well
 * formed.
 */
async function elements(path: string, name: string): Promise<string[]> {
  const response = await fetch(shop.url + path)
  expect([path, response.status]).toEqual([path, 200])
  expect(response.headers.get('content-type')).toMatch(/xml/)
  const page = await (await browser()).newPage()
  try {
    const { error, texts } = await page.evaluate(
      ({ text, name }) => {
        const xml = new DOMParser().parseFromString(text, 'application/xml')
        return {
          error: xml.querySelector('parsererror')?.textContent,
          texts: [...xml.getElementsByTagName(name)].map(({ textContent }) => textContent ?? ''),
        }
      },
      { text: await response.text(), name },
    )
    expect(error, path).toBeUndefined()
    return texts
  } finally {
    await page.close()
  }
}

test('the sitemap and each of its parts are XML, and link to pages that exist', async () => {
  await shop.aDocument({ title: 'Le & et le <' })
  const parts = await elements('/sitemap.xml', 'loc')
  expect(parts.length).toBeGreaterThanOrEqual(3)
  for (const part of parts) {
    const pages = await elements(new URL(part).pathname, 'loc')
    expect(new Set(pages).size).toBe(pages.length)
    for (const page of [pages[0], pages.at(-1)]) {
      const { pathname } = new URL(page ?? '')
      expect([pathname, (await fetch(shop.url + pathname)).status]).toEqual([pathname, 200])
    }
  }
})

test.each(LOCALES)('the feed is XML with an item per document (%s)', async (locale) => {
  const title = `Ça & là <${locale}>`
  const { id } = await shop.aDocument({ title })
  const path = pathIn(locale, '/rss.xml')
  expect(await elements(path, 'title')).toContain(title)
  const links = (await elements(path, 'link')).map((link) => new URL(link).pathname)
  expect(links).toContain(pathIn(locale, `/shop-details/${id}`))
  const dates = await elements(path, 'pubDate')
  for (const date of dates) expect(new Date(date).getTime()).not.toBeNaN()
  const home = await (await fetch(shop.url + pathIn(locale, '/'))).text()
  expect(home).toMatch(new RegExp(`<link[^>]+application/rss\\+xml[^>]+${path}`))
})

test('every line of robots.txt is one that crawlers understand', async () => {
  const robots = await (await fetch(`${shop.url}/robots.txt`)).text()
  const lines = robots.split('\n').filter(Boolean)
  for (const line of lines) {
    expect(line).toMatch(/^(?:User-agent: \S+|(?:Disallow|Allow): \/\S*|Sitemap: https?:\/\/\S+)$/)
  }
  expect(lines[0]).toBe('User-agent: *')
  const [sitemap] = lines.filter((line) => line.startsWith('Sitemap: '))
  expect(new URL(sitemap?.slice('Sitemap: '.length) ?? '').pathname).toBe('/sitemap.xml')
})
