import { describe, expect, test } from 'vitest'
import { cutFonts, rangesOf } from '../../../src/server/publishing/fonts/cut-fonts.ts'
import { fontPreloads, fontStyles } from '../../../src/server/publishing/fonts/font-css.ts'

const fonts = await cutFonts()

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
  fonts
    .filter(({ unicodeRange }) => pointsOf(unicodeRange).includes(character.codePointAt(0) ?? 0))
    .map(({ name }) => name)

describe('the fonts', () => {
  test('are small: what an Arabic page with prices needs is under 23 KB', () => {
    const size = Object.fromEntries(fonts.map(({ name, bytes }) => [name, bytes.length]))
    expect(size.arabic).toBeLessThan(17_000)
    expect(size.letters).toBeLessThan(12_000)
    expect(size.signs).toBeLessThan(6_500)
    for (const { bytes } of fonts) expect(bytes.toString('latin1', 0, 4)).toBe('wOF2')
  })

  test.each([
    ['دروس رياضيات، ٢٠٢٥؟', ['arabic', 'signs']],
    ['12.50 د.ت (تخفيض 20%) «كرّاس»', ['arabic', 'signs']],
    ['Élève de 7ème – œuvre à 12,50 DT', ['letters', 'signs']],
  ])('serve "%s" from their own files', (text, names) => {
    const used = new Set([...text].flatMap(fontFor))
    expect([...used].sort()).toEqual([...names].sort())
    for (const character of text) expect(fontFor(character)).toHaveLength(1)
  })

  test('share no character', () => {
    const all = fonts.flatMap(({ unicodeRange }) => pointsOf(unicodeRange))
    expect(new Set(all).size).toBe(all.length)
  })

  test('have the same names for the same contents, and are named in the CSS and the preloads', async () => {
    expect((await cutFonts()).map(({ file }) => file)).toEqual(fonts.map(({ file }) => file))
    const css = fontStyles(fonts)
    for (const { file } of fonts) expect(css).toContain(`url(/_astro/${file})`)
    expect(fontPreloads(fonts).arabic).toHaveLength(2)
    expect(fontPreloads(fonts).arabic.join()).not.toContain('letters')
    expect(fontPreloads(fonts).latin.join()).not.toContain('arabic')
  })

  test('write ranges the short way', () => {
    expect(rangesOf('cab')).toBe('U+61-63')
    expect(rangesOf('aé-')).toBe('U+2d,U+61,U+e9')
  })
})
