import { describe, expect, test } from 'vitest'
import { LOCALES } from '../../../src/i18n/locales.ts'
import { inLanguage, pathIn } from '../../../src/i18n/paths.ts'
import { OFFICE_PAGES, OFFICE_PATHS } from '../../../src/rules/pages.ts'
import { markupFaults } from '../../support/markup.ts'
import { sharedShop } from '../../support/stage.ts'

const shop = sharedShop()

describe('office pages', () => {
  test('are complete, never cached, and not for search engines; the languages take turns', async () => {
    for (const [at, path] of OFFICE_PATHS.entries()) {
      const locale = LOCALES[at % LOCALES.length] ?? 'ar'
      const response = await fetch(shop.url + pathIn(locale, path))
      const html = await response.text()
      expect(response.status, path).toBe(200)
      expect(response.headers.get('cache-control'), path).toBe('no-store')
      expect(response.headers.get('content-security-policy'), path).not.toContain('unsafe')
      expect(html, path).toContain('<meta name="robots" content="noindex">')
      expect(await markupFaults(html), path).toEqual([])
      // What the page's gate uses before it is painted: which role may open it.
      const page = OFFICE_PAGES[path]
      const role = 'role' in page ? page.role : undefined
      expect(/<html[^>]*data-is-open/.test(html), path).toBe('isOpen' in page)
      expect(/<main[^>]*data-role="(\w+)"/.exec(html)?.[1], path).toBe(role)
    }
    const unknown = await fetch(shop.url + inLanguage('fr', '/office/no-such-page'))
    await unknown.arrayBuffer()
    expect(unknown.status).toBe(404)
  })

  test('are disallowed for crawlers, and in no sitemap', async () => {
    const text = async (path: string) => (await fetch(shop.url + path)).text()
    expect(await text('/robots.txt')).toMatch(/^Disallow: \/fr\/office$/m)
    expect(await text('/sitemap-pages.xml')).not.toContain('/office')
  })
})

/** Every script that a page may load, following the imports of the scripts that it names. */
async function scriptsOf(path: string): Promise<Map<string, string>> {
  const html = await (await fetch(shop.url + path)).text()
  const scripts = new Map<string, string>()
  const waiting = [...html.matchAll(/"(\/_astro\/[^"]+\.js)"/g)].map(([, url = '']) => url)
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    if (scripts.has(url)) continue
    const text = await (await fetch(shop.url + url)).text()
    scripts.set(url, text)
    for (const [, target = ''] of text.matchAll(/["'`](\.{1,2}\/[^"'`\s]+\.js)["'`]/g)) {
      waiting.push(new URL(target, shop.url + url).pathname)
    }
  }
  return scripts
}

test('no script that buyers may load contains a part of the office', async () => {
  const marked = (scripts: Map<string, string>) =>
    [...scripts].flatMap(([url, text]) => (/karras-office|["'`]\/office\//.test(text) ? [url] : []))
  for (const path of ['/', '/shop', '/login', '/checkout', '/my-documents', '/chat', '/charging']) {
    const scripts = await scriptsOf(path)
    expect(scripts.size, path).toBeGreaterThan(0)
    expect(marked(scripts), path).toEqual([])
  }
  expect(marked(await scriptsOf('/office'))).not.toEqual([])
})
