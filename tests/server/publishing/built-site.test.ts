import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBuiltSite } from './built-site.ts'

let site: Awaited<ReturnType<typeof startBuiltSite>>
beforeAll(async () => {
  site = await startBuiltSite()
})
afterAll(() => site.stop())

const page = async (path: string) => {
  const response = await fetch(site.address + path, { redirect: 'manual' })
  return { status: response.status, headers: response.headers, html: await response.text() }
}

describe('the built site', () => {
  test.each([
    ['/', 'ar', 'rtl'],
    ['/fr', 'fr', 'ltr'],
    ['/en', 'en', 'ltr'],
    ['/documents/12', 'ar', 'rtl'],
    ['/fr/documents/12', 'fr', 'ltr'],
  ])('%s is in %s', async (path, lang, dir) => {
    const { status, html } = await page(path)
    expect(status).toBe(200)
    expect(html).toContain(`<html lang="${lang}" dir="${dir}">`)
  })

  test.each([
    '/xx',
    '/ar',
    '/xx/documents/12',
    '/en-fr',
    '/documents/abc',
    '/_image',
    '/about.html',
  ])('%s is not found, in Arabic', async (path) => {
    const { status, html } = await page(path)
    expect(status).toBe(404)
    expect(html).toContain('<h1>404 ar</h1>')
  })

  test('a missing page under /fr says so in French', async () => {
    const { status, html } = await page('/fr/documents/abc')
    expect([status, html.includes('<h1>404 fr</h1>')]).toEqual([404, true])
  })

  test('pages name the site and not the Host header, and have no header of the store', async () => {
    const { html, headers } = await page('/documents/12')
    expect(html).toContain('https://karras.example/documents/12')
    expect(headers.get('cache-tag')).toBeNull()
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  })

  test('every page has the policy, with the hashes of its inline content', async () => {
    for (const path of ['/', '/fr', '/documents/12', '/documents/12?x=1', '/nothing']) {
      const policy = (await page(path)).headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toMatch(/script-src 'self' 'sha256-/)
      expect(policy).toMatch(/style-src 'self' 'sha256-/)
      expect(policy).not.toContain('unsafe')
    }
  })

  test('a page whose data cannot be read is an error without a stack trace, and never stored', async () => {
    await site.control({ title: 'fail' })
    const { status, html } = await page('/documents/9')
    expect([status, html]).toEqual([500, 'Internal Server Error'])
    await site.control({ title: 'there again' })
    expect((await page('/documents/9')).html).toContain('there again 9')
  })

  test('a change is public at once, in every language', async () => {
    await site.control({ title: 'first' })
    await Promise.all([page('/documents/5'), page('/fr/documents/5')])
    await site.control({ title: 'second' })
    expect((await page('/documents/5')).html).toContain('first 5')
    await site.control({ changed: 'document:5' })
    expect((await page('/documents/5')).html).toContain('second 5')
    expect((await page('/fr/documents/5')).html).toContain('second 5')
    await site.control({ title: 'third', changed: 'tag, with signs' })
    expect((await page('/documents/5')).html).toContain('third 5')
  })

  test('a prerendered page has the headers of any other, and is precompressed', async () => {
    const [rendered, ...prerendered] = await Promise.all(
      ['/', '/about', '/fr/about', '/en/about?x=1'].map((path) => page(path)),
    )
    // Of these, only a stored page is a dictionary.
    const varying = ['content-length', 'content-security-policy', 'date', 'etag', 'vary']
    const fixed = (headers: Headers = new Headers()) =>
      [...headers].filter(
        ([name]) => !varying.includes(name) && name !== 'strict-transport-security',
      )
    for (const [n, path] of ['/about', '/fr/about', '/en/about'].entries()) {
      const { status, headers = new Headers(), html } = prerendered[n] ?? {}
      expect([status, html]).toEqual([200, expect.stringContaining(`<h1>about ${path}</h1>`)])
      expect(fixed(headers)).toEqual(fixed(rendered?.headers))
      const policy = headers.get('content-security-policy') ?? ''
      const sources = (name: string) => policy.split('; ').find((part) => part.startsWith(name))
      const inline = [...(html ?? '').matchAll(/<(script|style)[^>]*>(.+?)<\/\1>/gs)]
      expect(inline.length).toBeGreaterThanOrEqual(3)
      for (const [, name = '', text = ''] of inline) {
        const hash = createHash('sha256').update(text).digest('base64')
        expect(sources(`${name}-src`)).toContain(`'sha256-${hash}'`)
      }
    }
    const again = await fetch(`${site.address}/about`, {
      headers: { 'if-none-match': prerendered[0]?.headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
    const gone = await Promise.all(['/about/index.html', '/about/index.html.br'].map(page))
    expect(gone.map(({ status }) => status)).toEqual([404, 404])
    expect((await page('/about/')).headers.get('location')).toBe('/about')
  })

  test('a route invalidates pages by their tag, and one page by its path', async () => {
    const read = async () => {
      const paths = ['/documents/6', '/fr/documents/6', '/documents/7', '/fr/documents/7']
      const pages = await Promise.all(paths.map(page))
      return pages.map(({ html }) => /<h1>(.*)<\/h1>/.exec(html)?.[1])
    }
    await site.control({ title: 'old' })
    expect(await read()).toEqual(['old 6', 'old 6', 'old 7', 'old 7'])
    await site.control({ title: 'new' })
    expect(await read()).toEqual(['old 6', 'old 6', 'old 7', 'old 7'])
    expect((await page('/changed/6')).html).toBe('{"changed":"6"}')
    expect(await read()).toEqual(['new 6', 'new 6', 'old 7', 'old 7'])
    expect((await page('/changed/7')).html).toBe('{"changed":"7"}')
    expect(await read()).toEqual(['new 6', 'new 6', 'new 7', 'old 7'])
  })
})
