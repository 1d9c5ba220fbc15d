import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TITLE_MAX_LENGTH } from '../../src/rules/document-fields.ts'
import { pastedColumn, priceByPages, titleOfFile } from '../../src/rules/many-files.ts'
import { dinars } from '../../src/rules/money.ts'

test.each([
  ['devoir_de_contrôle_1.pdf', 'devoir de contrôle 1'],
  ['9eme/maths/Série 3.v2.PDF', 'Série 3.v2'],
  ['فرض تأليفي  عدد 2.pdf', 'فرض تأليفي عدد 2'],
  ['photos', 'photos'],
  ['.pdf', '.pdf'],
])('the title of %s is %s', (name, title) => {
  expect(titleOfFile(name)).toBe(title)
})

test('a title is never longer than it may be', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 2000, unit: 'grapheme' }), (name) => {
      expect([...titleOfFile(name)].length).toBeLessThanOrEqual(TITLE_MAX_LENGTH)
    }),
  )
})

test('a pasted column has a cell for each line, of a table the first', () => {
  expect(pastedColumn('2.5')).toBeNull()
  expect(pastedColumn('2.5\n')).toBeNull()
  expect(pastedColumn('a\r\nb\r\n\r\n')).toEqual(['a', 'b'])
  expect(pastedColumn(' a \tx\n\tb\nc')).toEqual(['a', '', 'c'])
})

test('a price by pages is in steps of a tenth of a dinar', () => {
  expect(priceByPages(dinars(0.25), 7)).toBe(dinars(1.7))
  expect(priceByPages(0, 7)).toBe(0)
})
