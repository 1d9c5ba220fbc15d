import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  cutPictureFonts,
  cutSiteFonts,
  PICTURE_FONTS,
  rangesOf,
  SITE_FONTS,
} from '../../scripts/cut-fonts.ts'
import cuts from '../../src/styles/fonts/cuts.json'
import { fontCss, fontPreloads } from '../../src/styles/fonts/faces.ts'

/** The code points of a `unicode-range`. */
function pointsOf(ranges: string): number[] {
  return ranges.split(',').flatMap((range) => {
    const [from = 0, to = from] = range
      .slice(2)
      .split('-')
      .map((hex) => Number.parseInt(hex, 16))
    return Array.from({ length: to - from + 1 }, (_, i) => from + i)
  })
}

const fontFor = (character: string) =>
  Object.entries(cuts)
    .filter(([, range]) => pointsOf(range).includes(character.codePointAt(0) ?? 0))
    .map(([name]) => name)

describe('the fonts', () => {
  test('match the output of `npm run fonts:cut`', async () => {
    const site = await cutSiteFonts()
    expect(cuts).toEqual(site.cuts)
    const committed = [
      ...Object.entries(site.files).map(([name, cut]) => [join(SITE_FONTS, name), cut] as const),
      ...Object.entries(await cutPictureFonts()).map(
        ([name, cut]) => [join(PICTURE_FONTS, name), cut] as const,
      ),
    ]
    for (const [file, cut] of committed) expect(cut.equals(await readFile(file)), file).toBe(true)
  })

  test('are small: an Arabic page needs less than 26 KB', async () => {
    const sizeOf = async (name: string) => {
      const bytes = await readFile(join(SITE_FONTS, `readex-${name}.woff2`))
      expect(bytes.toString('latin1', 0, 4)).toBe('wOF2')
      return bytes.length
    }
    expect(await sizeOf('arabic')).toBeLessThan(15_000)
    expect(await sizeOf('latin')).toBeLessThan(11_500)
  })

  test.each([
    ['دروس رياضيات، ٢٠٢٥؟', ['arabic', 'latin', 'numerals']],
    ['12.50 د.ت (تخفيض 20%) «كرّاس»', ['arabic', 'latin']],
    ['Élève de 7ème – œuvre à 12,50 DT', ['latin']],
  ])('serve "%s" from their own files', (text, names) => {
    const used = new Set([...text].flatMap(fontFor))
    expect([...used].sort()).toEqual([...names].sort())
    for (const character of text) expect(fontFor(character)).toHaveLength(1)
  })

  test('share no character', () => {
    const all = Object.values(cuts).flatMap(pointsOf)
    expect(new Set(all).size).toBe(all.length)
  })

  test('are named in the CSS, and in the preloads of pages that use them on desktops', () => {
    for (const name of ['arabic', 'latin']) {
      expect(fontCss).toMatch(new RegExp(`url\\([^)]*readex-${name}[^)]*\\.woff2`))
    }
    for (const name of ['arabic', 'latin']) {
      expect(fontPreloads.arabic.join()).toContain(`readex-${name}`)
    }
    expect(fontPreloads.latin.join()).not.toContain('arabic')
  })

  test('write unicode-range in its short form', () => {
    expect(rangesOf('cab')).toBe('U+61-63')
    expect(rangesOf('aé-')).toBe('U+2d,U+61,U+e9')
  })
})
