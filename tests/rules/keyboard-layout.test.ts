import { describe, expect, test } from 'vitest'
import { otherLayout } from '../../src/rules/keyboard-layout.ts'
import { schoolVocabulary } from '../support/school-vocabulary.ts'

const { knows } = await schoolVocabulary()

describe('otherLayout', () => {
  test.each([
    // Arabic, typed in a Latin layout.
    ['vdhqdhj', 'رياضيات'],
    ['vdhadhj', 'رياضيات'],
    ['VDHQDHJ', 'رياضيات'],
    ['vdhqdhj 9', 'رياضيات 9'],
    ['tvq lvhrfm', 'فرض مراقبة'],
    ['tva lvhrf,', 'فرض مراقبة'],
    ['ugl hgpdhm', 'علم الحياة'],
    ['Ysbl', 'إسلام'],
    // French, typed in the Arabic layout.
    ['كضفاس', 'maths'],
    ['ةشفاس', 'maths'],
    ['حاغسهضعث 9', 'physique 9'],
    ['ل2خلقضحاهث', 'géographie'],
    ['حاهمخسخحاهث', 'philosophie'],
  ])('%s is %s', (typed, meant) => {
    const dictionary = new Set(['علم', 'حياه', 'اسلام', 'philosophie'])
    expect(otherLayout(typed, (word) => knows(word) || dictionary.has(word))).toBe(meant)
  })

  test.each([
    '',
    '9',
    '2024-2025',
    'maths',
    'رياضيات',
    'رياضيات maths',
    'svt',
    'dc 1',
    'pythagore',
    'قرطاج',
    'vdhqdhj wxyk',
    'hello',
  ])('leaves %j', (typed) => {
    expect(otherLayout(typed, knows)).toBeNull()
  })
})
