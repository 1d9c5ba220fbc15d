import { expect, test } from 'vitest'
import { monthText } from '../../src/office/kit/dates.ts'

test('a month is said without its first day', () => {
  expect(monthText('fr', '2026-10')).toBe('octobre 2026')
  expect(monthText('ar', '2026-10')).toBe('أكتوبر 2026')
  expect(monthText('en', '2026-10')).toBe('October 2026')
})
