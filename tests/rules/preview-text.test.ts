import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { previewText } from '../../src/rules/preview-text.ts'

afterEach(() => vi.unstubAllGlobals())

const family = '👨‍👩‍👧'

test.each([
  ['', ''],
  ['short', 'short'],
  ['x'.repeat(30), 'x'.repeat(30)],
  ['x'.repeat(31), `${'x'.repeat(30)}...`],
  [family.repeat(30), family.repeat(30)],
  [family.repeat(31), `${family.repeat(30)}...`],
  ['مَ'.repeat(31), `${'مَ'.repeat(30)}...`],
])('%j is shown as %j', (text, expected) => {
  expect(previewText(text)).toBe(expected)
})

test('cuts by code points where there is no Intl.Segmenter', () => {
  vi.stubGlobal('Intl', { ...Intl, Segmenter: undefined })
  expect(previewText('😀'.repeat(31))).toBe(`${'😀'.repeat(30)}...`)
})

test('is the text itself or a prefix of it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
      const preview = previewText(text)
      expect(preview === text || text.startsWith(preview.slice(0, -3))).toBe(true)
    }),
  )
})
