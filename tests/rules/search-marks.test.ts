import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { markMatches } from '../../src/rules/search-marks.ts'
import { replacedLetters, undoneSlips } from '../../src/rules/search-words.ts'

const marked = (text: string, query: string, anywhere = false) =>
  markMatches(text, query, { anywhere })
    .map(({ text: piece, isMarked }) => (isMarked ? `[${piece}]` : piece))
    .join('')

describe('matches are marked in the letters of the title', () => {
  test.each([
    ['تمارين في الكسور', 'كسور', 'تمارين في [الكسور]'],
    ['مُلَخَّص الدروس', 'ملخص', '[مُلَخَّص] الدروس'],
    ['الكيـــمياء العضويّة', 'كيم', '[الكيـــم]ياء العضويّة'],
    ['مَدْخَل', 'مد', '[مَدْ]خَل'],
    ['تمارين في الكسور', 'الك', 'تمارين في [الك]سور'],
    ['كسور', 'الك', '[ك]سور'],
    ['الجزء ٢', '2', 'الجزء [٢]'],
    ['Résumé : l’Été', 'resume ete', '[Résumé] : l’[Été]'],
    ['Œuvres', 'oeuv', '[Œuv]res'],
    ['<b>الكسور</b>', 'كسور', '<b>[الكسور]</b>'],
    ['الكسور', '', 'الكسور'],
  ])('%s, searched by %s: %s', (title, query, expected) => {
    expect(marked(title, query)).toBe(expected)
  })

  test.each([
    ['الكيمياء', 'يمي', 'الك[يمي]اء'],
    ['Révolution', 'volu', 'Ré[volu]tion'],
  ])('%s, in the middle of a word by %s: %s', (title, query, expected) => {
    expect(marked(title, query, true)).toBe(expected)
  })

  test('the pieces add up to the text, for any text', () => {
    const text = fc.string({ unit: fc.constantFrom(...'ال كسورéŒ12ًـ<&أةئ') })
    fc.assert(
      fc.property(text, text, fc.boolean(), (title, query, anywhere) => {
        const pieces = markMatches(title, query, { anywhere })
        expect(pieces.map((piece) => piece.text).join('')).toBe(title)
        expect(pieces.every((piece) => piece.text !== '')).toBe(true)
      }),
    )
  })
})

describe('a typo', () => {
  const letters = [...'كسوردم']
  const word = fc.string({ unit: fc.constantFrom(...letters), minLength: 2, maxLength: 8 })

  test('of any kind is corrected', () => {
    fc.assert(
      fc.property(
        word,
        fc.nat(),
        fc.constantFrom('double', 'drop', 'swap'),
        (right, place, kind) => {
          const typed = [...right]
          const at = place % (typed.length - 1)
          if (kind === 'double') typed.splice(at, 0, typed[at] as string)
          else if (kind === 'drop') typed.splice(at, 1)
          else typed.splice(at, 2, typed[at + 1] as string, typed[at] as string)
          const wrong = typed.join('')
          fc.pre(wrong !== right)
          expect(undoneSlips(wrong, letters)).toContain(right)
        },
      ),
    )
  })

  test('yields no duplicates, and never the word itself', () => {
    fc.assert(
      fc.property(word, (typed) => {
        const all = undoneSlips(typed, letters)
        expect(new Set(all).size).toBe(all.length)
        expect(all).not.toContain(typed)
      }),
    )
  })

  test('a letter may replace another, a digit none, and long words are left alone', () => {
    expect(replacedLetters('كسود', letters)).toContain('كسور')
    expect(replacedLetters('2024', ['5'])).toEqual([])
    expect(undoneSlips('a'.repeat(25), ['a'])).toEqual([])
  })
})
