import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FINDS_MAX, finderOf } from '../../src/rules/find-in-text.ts'
import { directionOf } from '../../src/rules/page-passages.ts'

const matches = (text: string, wanted: string) => finderOf(wanted)?.(text).map(({ match }) => match)

test.each([
  ['marks and tatweel', 'في المَدْرَسَةِ الإبتدائيّة', 'مدرسة', ['المَدْرَسَةِ']],
  ['printed forms', 'في المدرسة', 'ﺍﻟﻤﺪﺭﺳﺔ', ['المدرسة']],
  ['the article', 'كسور والكسور', 'الكسور', ['كسور', 'والكسور']],
  ['consecutive words', 'الكُسُورُ: خطوةً بخطوة', 'كسور خطوه', ['الكُسُورُ: خطوةً']],
  ['an article and one letter', 'كلّ الكسور في الكرّاس', 'الك', ['الكسور', 'الكرّاس']],
  ['words, one of them half-typed', 'دروس في الكسور', 'في الك', ['في الكسور']],
  ['an article without a word', '٣ال3', '٣ال3', ['٣ال3']],
  ['a number before an article and one letter', '٣ٱلا', '٣ٱلا', ['٣ٱلا']],
  ['two articles and one letter', 'للٱلأ', 'للٱلأ', ['للٱلأ']],
  ['the same letter before it', 'ا ا الا', 'ا الا', ['ا الا']],
  ['the middle of a word', 'une équation', 'QUATI', ['équation']],
  ['an apostrophe', 'De l’Eau', "l'eau", ['l’Eau']],
  ['a word that contains it twice', 'coco', 'co', ['coco']],
  ['digits of either script', 'سنة ٢٠٢٦', '2026', ['٢٠٢٦']],
  ['a missing text', 'une équation', 'fraction', []],
])('handles %s', (_, text, wanted, expected) => {
  expect(matches(text, wanted)).toEqual(expected)
})

test('has no finder for a text without letters or digits', () => {
  expect(finderOf('؟! ')).toBeNull()
})

test('shows whole words around a match, on one line', () => {
  const text = `${'avant '.repeat(20)}ici\net  là ${'après '.repeat(20)}`
  const [found] = finderOf('et')?.(text) ?? []
  expect(found?.match).toBe('et')
  expect(found?.before).toMatch(/^(avant )+ici $/)
  expect(found?.after).toMatch(/^ là( après)+$/)
})

test('stops one match after the limit, however often a text repeats itself', () => {
  const text = 'صلى الله عليه وسلم '.repeat(20_000)
  expect(matches(text, 'ل')).toHaveLength(FINDS_MAX + 1)
})

test('finds any word of any text, and shows it unchanged', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'ءأؤئىةٱالوبك ـَّ٣3aÉœ-’\n'), maxLength: 200 }),
      (text) => {
        for (const piece of text.split(/\s+/).slice(0, 5)) {
          const found = finderOf(piece)?.(text)
          if (found) expect(found.length).toBeGreaterThan(0)
        }
      },
    ),
  )
})

test.each([
  ['Arabic', ['الكسور خطوة بخطوة دروس وأمثلة في الرياضيات للسنة السادسة'], 'Fractions', 'rtl'],
  ['Arabic with formulas', [`${'الدالة '.repeat(10)} ${'f(x) '.repeat(30)}`], '', 'rtl'],
  ['French', ['Suites numériques : résumé et méthodes du baccalauréat'], 'متتاليات', 'ltr'],
  ['pictures with an Arabic title', ['', ''], 'الكسور', 'rtl'],
  ['pictures with a French title', ['1', ''], 'Les suites', 'ltr'],
] as const)('the direction of %s', (_, texts, title, direction) => {
  expect(directionOf(texts, title)).toBe(direction)
})
