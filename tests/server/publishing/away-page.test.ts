// @one-database: it is about files.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/client/api.ts'
import { LOCALES } from '../../../src/i18n/locales.ts'
import { translator } from '../../../src/i18n/translate.ts'
import { writeAwayFiles } from '../../../src/server/publishing/build/away-page.ts'
import { temporaryDirectory } from '../../support/directory.ts'

/** A light page even on the slowest line, in the moment in which the shop itself sends nothing. */
const PAGE_MAX_BYTES = 10 * 1024

const dist = temporaryDirectory()
await writeAwayFiles(dist)
const html = readFileSync(join(dist, 'away.html'), 'utf8')

/** The page at an address of the shop, which answers `/readyz` with these statuses in turn. */
function opened(pathname: string, statuses: number[]) {
  const [, script = ''] = /<script>(.*)<\/script>/s.exec(html) ?? []
  const sections = LOCALES.map((lang) => ({ lang, hidden: false, querySelector: () => null }))
  const page = { lang: '', dir: '', reloads: 0, asked: [] as string[] }
  const pending: (() => void)[] = []
  runInNewContext(script, {
    document: { documentElement: page, querySelectorAll: () => sections, title: '' },
    location: { pathname, reload: () => page.reloads++ },
    setTimeout: (work: () => void) => pending.push(work),
    async fetch(url: string) {
      page.asked.push(url)
      const status = statuses.shift()
      if (!status) throw new TypeError('Failed to fetch')
      return { status }
    },
  })
  const shown = () => sections.filter(({ hidden }) => !hidden).map(({ lang }) => lang)
  return { page, shown, later: () => pending.shift()?.() }
}

describe('what a proxy sends while the shop does not listen', () => {
  test('is one light page in all languages that loads nothing', () => {
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(PAGE_MAX_BYTES)
    for (const locale of LOCALES) {
      expect(html).toContain(`<section lang="${locale}"`)
      for (const text of ['busy:away.title', 'busy:away.text'] as const) {
        expect(html).toContain(translator(locale)(text))
      }
    }
    expect(html.match(/\b(?:src|href)="[^"]+"|\burl\(|@import|<link\b/g)).toBeNull()
    expect(html).toContain("default-src 'none'")
  })

  test('shows the language of the address, and opens it once the shop is ready', async () => {
    const { page, shown, later } = opened('/fr/shop', [0, 503, 200])
    expect([page.lang, page.dir, shown()]).toEqual(['fr', 'ltr', ['fr']])
    for (const reloads of [0, 0, 1]) {
      later()
      await new Promise(setImmediate)
      expect(page.reloads).toBe(reloads)
    }
    expect(page.asked).toEqual(['/readyz', '/readyz', '/readyz'])
    expect(opened('/shop', []).shown()).toEqual(['ar'])
  })

  test('is an error that the client knows to calls, which says nothing about money', () => {
    const error = new ApiError(503, JSON.parse(readFileSync(join(dist, 'away.json'), 'utf8')))
    expect([error.code, error.nothingCharged]).toEqual(['unavailable', false])
    expect(error.message).toBe('The shop is busy. Please try again in a moment.')
  })

  test('is where the proxy of docs/operating.md looks for it', () => {
    const operating = readFileSync('docs/operating.md', 'utf8')
    expect(operating).toMatch(/location = \/away\.html \{\s+internal;\s+root \/opt\/karras\/dist;/)
    expect(operating).toMatch(/location = \/away\.json \{\s+internal;\s+root \/opt\/karras\/dist;/)
  })
})
