import { expect, test } from 'vitest'
import { hasNextPage, hasPreviousPage } from '../../src/rules/pager.ts'

test.each([
  [0, 0, false, false],
  [0, 1, false, false],
  [0, 2, false, true],
  [1, 3, true, true],
  [2, 3, true, false],
  [9, 3, true, false],
])('page %i of %i: previous %s, next %s', (number, totalPages, previous, next) => {
  expect(hasPreviousPage({ number, totalPages })).toBe(previous)
  expect(hasNextPage({ number, totalPages })).toBe(next)
})
