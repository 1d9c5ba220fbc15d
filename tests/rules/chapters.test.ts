import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addressName,
  CHAPTER_NAME_MAX_LENGTH,
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

test('an address has letters, digits and single hyphens alone', () => {
  expect(addressName('Géométrie dans l’espace (cône)')).toBe('geometrie-dans-l-espace-cone')
  expect(addressName('علم الحساب (قابلية القسمة على 8)')).toBe('علم-الحساب-قابليه-القسمه-علي-8')
  fc.assert(
    fc.property(fc.string({ maxLength: CHAPTER_NAME_MAX_LENGTH }), (name) =>
      /^(?:[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*)?$/u.test(addressName(name).normalize('NFC')),
    ),
  )
})
