// @one-database: it needs none.

import { describe, expect, test } from 'vitest'
import { formatMillimes } from '../../../src/rules/money.ts'
import { plainText, printSheet } from '../../../src/server/drawing/print-tasks.ts'
import type { Sheet } from '../../../src/server/drawing/sheet.ts'
import {
  functionsOf,
  handleOfPage,
  openPdfium,
  withMemory,
} from '../../../src/server/library/safety/pdfium.ts'

const LOCALES = ['ar', 'fr', 'en'] as const
const MARK = { ar: '.', fr: ',', en: '.' }
const AMOUNTS = [1111, 44440, 700070, 12345678]

function aSheet(locale: Sheet['locale'], more: Partial<Sheet> = {}): Sheet {
  const amounts = AMOUNTS.map((amount) => formatMillimes(amount, MARK[locale] as '.' | ','))
  return {
    locale,
    title: 'Facture \u20662026-000123\u2069',
    at: '2026-11-28T10:00:00Z',
    mark: { name: 'Karras', logo: null, accent: '#2440a8' },
    facts: [['Date', '28/11/2026']],
    parties: [{ label: 'Client', lines: ['Amal'] }],
    columns: ['What', 'Amount'],
    rows: amounts.map((amount, at) => [`Document ${at}`, amount]),
    sums: [
      ['Net', amounts[0] ?? ''],
      ['Total', amounts[3] ?? ''],
    ],
    notes: [],
    ...more,
  }
}

/** The characters of the pages with where they are, in points from the left and the lower edge. */
async function charactersOf(sheet: Sheet) {
  const library = await openPdfium()
  const document = await library.loadDocument(await printSheet(sheet))
  const pdfium = functionsOf(library)
  return [...document.pages()].flatMap((page) => {
    const text = pdfium._FPDFText_LoadPage(handleOfPage(page))
    return Array.from({ length: pdfium._FPDFText_CountChars(text) }, (_, at) =>
      withMemory(pdfium, 16, (place) => {
        pdfium._FPDFText_GetCharOrigin(text, at, place, place + 8)
        const [x = 0, y = 0] = new Float64Array(pdfium.HEAPU8.slice(place, place + 16).buffer)
        return { sign: String.fromCodePoint(pdfium._FPDFText_GetUnicode(text, at)), x, y }
      }),
    )
  })
}

describe('a printed sheet', () => {
  test.each(LOCALES)(
    'has its amounts under each other by their decimal marks: %s',
    async (locale) => {
      const found = await charactersOf(aSheet(locale))
      const marks = found.flatMap(({ sign, x }, at) => {
        const isMark = sign === MARK[locale] && /\d/.test(found[at - 1]?.sign ?? '')
        return isMark ? [Math.round(x * 100) / 100] : []
      })
      expect(marks).toHaveLength(AMOUNTS.length + 2)
      expect(new Set(marks).size).toBe(1)
    },
  )

  test.each(LOCALES)('has one direction in all lines of a paragraph: %s', async (locale) => {
    // The second line begins with a Latin word.
    const filler = 'مراجعة شاملة في الرياضيات لتلاميذ السنة السابعة أساسي والأعداد النسبية والجمع'
    const found = await charactersOf(
      aSheet(locale, { rows: [[`${filler} Questionnaires-à-choix-multiples ثمّ`, '1.000']] }),
    )
    const first = found.findIndex(({ sign }, at) => sign === 'Q' && found[at + 1]?.sign === 'u')
    const word = found[first]
    const after = found.filter(({ sign, y }) => y === word?.y && /\p{Script=Arabic}/u.test(sign))
    expect(after.length).toBeGreaterThan(0)
    for (const { x } of after) expect(x).toBeLessThan(word?.x ?? 0)
  })

  test('has no gap for what its fonts lack', async () => {
    const title = 'Livre 📚 α → β 𝐀ﷺ 数 ǎ ٢٠٢٦ étude² 👩‍👧'
    expect(plainText(title)).toBe('Livre alpha -> beta Aصلى الله عليه وسلم ? a ٢٠٢٦ étude²')
    const found = await charactersOf(aSheet('fr', { rows: [[title, '1,000']] }))
    const digits = found.filter(({ sign }) => /[٠-٩]/.test(sign)).toSorted((a, b) => a.x - b.x)
    expect(digits.map(({ sign }) => sign).join('')).toBe('٢٠٢٦')
    expect(found.map(({ sign }) => sign).join('')).not.toMatch(/[📚数α]/u)
  })

  test('breaks a word that is wider than its line, and numbers its pages', async () => {
    const rows = Array.from({ length: 40 }, (_, at) => ['ب'.repeat(90 + at), '1.000'] as const)
    const found = await charactersOf(aSheet('ar', { rows }))
    for (const { sign, x } of found) {
      if (sign.trim() === '') continue
      expect(x).toBeGreaterThan(47)
      expect(x).toBeLessThan(548)
    }
    expect(found.map(({ sign }) => sign).join('')).toContain('1 / 3')
  })
})
