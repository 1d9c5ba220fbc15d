import { expect, test } from 'vitest'
import { LOCALES } from '../../../src/i18n/locales.ts'
import { pathIn } from '../../../src/i18n/paths.ts'
import { newVisitor } from '../../support/browser.ts'
import { sharedShop } from '../../support/stage.ts'

const shop = sharedShop()

/**
 * Texts of the elements of a name, by the browser's own XML parser; fails if the XML is not well
 * formed.
 */
async function elements(path: string, name: string): Promise<string[]> {
  const response = await fetch(shop.url + path)
  expect([path, response.status]).toEqual([path, 200])
  expect(response.headers.get('content-type')).toMatch(/xml/)
  const { page, leave } = await newVisitor(shop.url)
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
  await leave()
  expect(error, path).toBeUndefined()
  return texts
}

test('the sitemap and each of its parts are XML, and link to pages that exist', async () => {
  const { id } = await shop.aDocument({ title: 'Le & et le <' })
  const details = `/shop-details/${id}`
  const parts = await elements('/sitemap.xml', 'loc')
  expect(parts.length).toBeGreaterThanOrEqual(3)
  const firstPaths: string[] = []
  const all: string[] = []
  for (const part of parts) {
    const locations = await elements(new URL(part).pathname, 'loc')
    const paths = locations.map((location) => new URL(location).pathname)
    expect(new Set(locations).size).toBe(locations.length)
    firstPaths.push(...paths.slice(0, 1))
    all.push(...paths)
  }
  expect(all).toContain(details)
  for (const path of [...firstPaths, details]) {
    expect([path, (await fetch(shop.url + path)).status]).toEqual([path, 200])
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
