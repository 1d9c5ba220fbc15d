import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CHAPTER_NAME_MAX_LENGTH,
  CHAPTER_PATTERN,
  chapterAddress,
  chapterNames,
  readPastedChapters,
  sharedName,
} from '../../src/rules/chapters.ts'

describe('a pasted list of chapters', () => {
  test('has one a line, with its names and other names', () => {
    const text = `1. الإحصاء | Statistiques | Stats | إحصاء
• Suites

- المتتاليات\tSuites réelles\r\n12) 2D et 3D`
    expect(readPastedChapters(text)).toEqual([
      { ar: 'الإحصاء', fr: 'Statistiques', aliases: ['Stats', 'إحصاء'] },
      { ar: '', fr: 'Suites', aliases: [] },
      { ar: 'المتتاليات', fr: 'Suites réelles', aliases: [] },
      { ar: '', fr: '2D et 3D', aliases: [] },
    ])
  })

  test('has no chapter without a name that one can see', () => {
    expect(readPastedChapters('|||\n\u200d | \u200b\n| Suites\n|| Limites | Stats')).toEqual([
      { ar: '', fr: 'Suites', aliases: [] },
      { ar: 'Limites', fr: 'Stats', aliases: [] },
    ])
  })

  test('is read whatever it says, and says nothing twice', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const names = readPastedChapters(text).flatMap(({ ar, fr, aliases }) => [
          ar,
          fr,
          ...aliases,
        ])
        return names.every((name) => name === name.trim() && !/[\n\t|]/.test(name))
      }),
    )
  })
})

test('a name is shared in any language and spelling, but not by the two of one chapter', () => {
  const one = { ar: 'المعادلات', fr: 'Équations' }
  expect(sharedName([one, { ar: '', fr: 'Suites' }])).toBeUndefined()
  expect(sharedName([{ ar: 'pH', fr: 'pH' }])).toBeUndefined()
  expect(sharedName([one, { ar: 'معادلات أخرى', fr: 'EQUATIONS' }])).toBe('EQUATIONS')
  expect(sharedName([one, { ar: 'المعادلات ', fr: '' }])).toBe('المعادلات ')
})

test('pages of each language show a name', () => {
  expect(chapterNames({ ar: 'الضوء', fr: '' })).toEqual({ ar: 'الضوء', fr: 'الضوء', en: 'الضوء' })
  expect(chapterNames({ ar: '', fr: 'Suites' })).toEqual({
    ar: 'Suites',
    fr: 'Suites',
    en: 'Suites',
  })
})

test('an address has the id, and plain letters of the French name', () => {
  const of = (fr: string) => chapterAddress({ id: 12, names: chapterNames({ ar: '', fr }) })
  expect(of('Géométrie dans l’espace (cône)')).toBe('12-geometrie-dans-l-espace-cone')
  expect(of('الضوء')).toBe('12')
  fc.assert(
    fc.property(fc.string({ maxLength: CHAPTER_NAME_MAX_LENGTH }), (name) =>
      new RegExp(`^${CHAPTER_PATTERN}$`).test(of(name)),
    ),
  )
})
