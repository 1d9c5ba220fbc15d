import { expect, test } from 'vitest'
import { lettering, unbroken } from '../../src/i18n/unbroken.ts'

test.each([
  ['Équations : cours et exercices', 'Équations\u00a0: cours et exercices'],
  ['Pourquoi ? Parce que !', 'Pourquoi\u202f? Parce que\u202f!'],
  ['Lire « Le Petit Prince »', 'Lire «\u00a0Le Petit Prince\u00a0»'],
  ['Le rapport 3 :4', 'Le rapport 3 :4'],
  ['الكسور: تمارين', 'الكسور: تمارين'],
  ['', ''],
])('%s', (typed, shown) => {
  expect(unbroken(typed)).toBe(shown)
})

test.each([
  ['Cours', 'Cours', false],
  ['Mathématiques', 'Mathématiques', true],
  ['Approfondissement', 'Appro\u00adfondisse\u00adment', true],
  ['Électrotechnique\nBac', 'Électro\u00adtechnique\nBac', true],
  ['والاستقلاليّاتُهُم', 'والاستقلاليّاتُهُم', true],
])('on a cover: %s', (written, text, isLong) => {
  expect(lettering(written)).toEqual({ text, ...(isLong && { isLong }) })
})
