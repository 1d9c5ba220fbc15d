import { expect, test } from 'vitest'
import { passagesOf } from '../../src/rules/page-passages.ts'

test.each([
  ['', []],
  ['  \n ', []],
  ['درس في الكسور\nتمرين 1', [['ar', 'درس في الكسور\nتمرين 1']]],
  [
    'Exercice 1\nRésoudre dans R :\n2x + 3 = 0',
    [['fr', 'Exercice 1\nRésoudre dans R :\n2x + 3 = 0']],
  ],
  [
    'Read the text and answer:\nWhat is the title?',
    [['en', 'Read the text and answer:\nWhat is the title?']],
  ],
  [
    'الجمهورية التونسية\nExercice 1 : la fraction\n3/4 = x\nالاسم واللقب',
    [
      ['ar', 'الجمهورية التونسية'],
      ['fr', 'Exercice 1 : la fraction\n3/4 = x'],
      ['ar', 'الاسم واللقب'],
    ],
  ],
  // Formulas alone join the passage around them.
  ['x = 2\nالحل', [['ar', 'x = 2\nالحل']]],
  ['12 / 3', [['ar', '12 / 3']]],
])('%j is split by language', (text, passages) => {
  expect(passagesOf(text).map(({ language, text: part }) => [language, part])).toEqual(passages)
})
