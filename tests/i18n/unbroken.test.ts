import { expect, test } from 'vitest'
import { unbroken } from '../../src/i18n/unbroken.ts'

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
