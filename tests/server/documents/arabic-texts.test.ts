// @one-database: it is about texts of files.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pageTexts } from '../../../src/server/library/reading/pdf-tasks.ts'
import { anArabicPdf } from '../../support/arabic-pdf.ts'
import { bought, find, openBought } from '../../support/bought-documents.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { sharedApp } from '../../support/test.ts'

const CASES = new URL('../../cases/', import.meta.url)

/** The lines that Chromium, LibreOffice and XeTeX have printed, in several fonts. */
const LINES = [
  'بسم الله الرحمن الرحيم',
  'الخطوط المستقيمة والمجال المحدود',
  'لا إله إلا الله محمد رسول الله',
  'حجم المجسم ومحيط الحجرة والجمل',
  'مثال 12 من 35 صفحة: الأشكال',
]

const app = await sharedApp()
const folder = temporaryDirectory()

/** The first page's text. */
async function textOfPdf(bytes: Uint8Array): Promise<string> {
  const path = join(folder, 'a.pdf')
  await writeFile(path, bytes)
  return JSON.parse(Buffer.from(await pageTexts({ path, from: 0, most: 1 })).toString())[0].found
}

describe('an Arabic PDF', () => {
  test('with ligatures as characters of their own is read and found as it is written', async () => {
    const file = await readFile(new URL('pdf/lig-presentation.pdf', CASES))
    const { buyer, id } = await bought(app, { file })
    const { pages } = await openBought(app, buyer, id)
    expect(await (await fetch(`${app.url}${pages}1.txt`)).text()).toBe('الحطوط الله')
    expect((await find(app, buyer, id, 'الله')).finds).toHaveLength(1)
    expect((await find(app, buyer, id, 'هللا')).finds).toHaveLength(0)
  })

  test('of several programs and fonts is read line by line', async () => {
    const names = await readdir(new URL('arabic/', CASES))
    expect(names.length).toBeGreaterThan(5)
    for (const name of names) {
      const text = await textOfPdf(await readFile(new URL(`arabic/${name}`, CASES)))
      // This font has no digits.
      const lines = name.includes('kacst') ? LINES.slice(0, -1) : LINES
      expect(text.split('\n').slice(0, lines.length), name).toEqual(lines)
    }
  })

  test.each(['xetex-amiri.pdf', 'libreoffice-scheherazade.pdf'])(
    'with a vowel on each letter is found word by word: %s',
    async (name) => {
      const { buyer, id } = await bought(app, {
        file: await readFile(new URL(`vowels/${name}`, CASES)),
      })
      for (const word of ['كُتُبُ', 'الطفل', 'المُجْتَهِدِ', 'كتب الطفل المجتهد']) {
        expect((await find(app, buyer, id, word)).finds, word).toHaveLength(1)
      }
    },
  )

  test.each([
    ['one by one, as Word maps them', ['الله', ' ', 'لا', ' ', 'ا', 'لخ', 'ط'], 'الله لا الخط'],
    ['as one character, as LibreOffice may', ['ﷲ', ' ', 'ﻻ', ' ', 'ا', 'ﳋ', 'ط'], 'الله لا الخط'],
    ['that mean something both ways, one by one', ['لا', ' ', 'حج', 'م', ' ', 'جح'], 'لا حجم جح'],
    ['that mean something both ways, as one', ['ﻻ', ' ', 'ﰗ', 'ﻡ', ' ', 'ﰕ'], 'لا حجم جح'],
    ['with vowels', ['كَ', 'تَ', 'بَ', ' ', 'ﷲ'], 'كَتَبَ الله'],
    ['with a second alef', ['ا', 'ﷲ', ' ', 'ب'], 'الله ب'],
  ])('with letters %s', async (_, glyphs, text) => {
    expect(await textOfPdf(anArabicPdf(glyphs))).toBe(text)
  })

  test('is read whichever ligatures its font has', async () => {
    const ligatures = Array.from({ length: 0xfd3d - 0xfc00 + 1 }, (_, at) =>
      String.fromCodePoint(0xfc00 + at),
    ).filter((form) => /^\p{L}+$/u.test(form.normalize('NFKC')))
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(fc.constantFrom(...ligatures), { minLength: 1, maxLength: 20 }),
        async (isOneByOne, forms) => {
          // Every page has a lam with its alef.
          const glyphs = ['ﻻ', ...forms].map((form) => (isOneByOne ? form.normalize('NFKC') : form))
          const text = glyphs.map((glyph) => glyph.normalize('NFKC')).join(' ')
          expect(await textOfPdf(anArabicPdf(glyphs.flatMap((glyph) => [glyph, ' '])))).toBe(text)
        },
      ),
      { numRuns: 60 },
    )
  })
})
