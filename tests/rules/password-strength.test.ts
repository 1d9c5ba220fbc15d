import { expect, test } from 'vitest'
import { passwordStrength } from '../../src/rules/password-strength.ts'

test.each([
  ['', 'short'],
  ['aB3$e', 'short'],
  ['123456', 'weak'],
  ['aaaaaaaaaaaaaaaaaaaa', 'weak'],
  ['abcdefghijklmnopqrstuvwxyz', 'weak'],
  ['1234567890123456', 'weak'],
  ['password', 'weak'],
  ['karwan74', 'fair'],
  ['qhfurmwoxtk', 'fair'],
  ['سلحفاة-خضراء-76', 'strong'],
  ['blue fish eats 9 pens', 'strong'],
  ['qhfurmwoxtkvzpay', 'strong'],
])('%s is %s', (password, strength) => {
  expect(passwordStrength(password)).toBe(strength)
})
