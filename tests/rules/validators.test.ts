import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalisePhone } from '../../src/rules/typed-numbers.ts'
import {
  checkConfirmation,
  checkPassword,
  composeValidators,
  email,
  max,
  maxLength,
  min,
  minLength,
  pattern,
  required,
} from '../../src/rules/validators.ts'

describe('the generic validators', () => {
  test.each([
    [required, 'x', null],
    [required, 0, null],
    [required, ' \t', 'required'],
    [required, '', 'required'],
    [required, null, 'required'],
    [required, undefined, 'required'],
    [min(10), 10, null],
    [min(10), '9.99', 'min'],
    [min(10), 'abc', 'min'],
    [max(10), 10, null],
    [max(10), 10.01, 'max'],
    [max(10), 'abc', 'max'],
    [minLength(3), 'abc', null],
    [minLength(3), '😀😀', 'minLength'],
    [maxLength(3), '😀😀😀', null],
    [maxLength(3), 'abcd', 'maxLength'],
    [pattern(/^a+$/), 'aaa', null],
    [pattern(/^a+$/), 'ab', 'pattern'],
  ] as const)('case %#', (validator, value, expected) => {
    expect(validator(value)).toBe(expected)
  })

  test.each([min(1), max(-1), minLength(1), maxLength(0), pattern(/x/), email])(
    'accept an empty value, case %#',
    (validator) => {
      expect([validator(''), validator(null), validator(undefined)]).toEqual([null, null, null])
    },
  )

  test('a global regular expression gives the same result every time', () => {
    const validator = pattern(/a/g)
    expect([validator('a'), validator('a')]).toEqual([null, null])
  })

  test('composed, report the first broken rule', () => {
    const validator = composeValidators(required, minLength(3), email)
    expect(validator('')).toBe('required')
    expect(validator('a')).toBe('minLength')
    expect(validator('abc')).toBe('email')
    expect(validator('a@b.tn')).toBeNull()
    expect(composeValidators()('')).toBeNull()
  })
})

describe('email', () => {
  const domain = `${'d.'.repeat(95)}tn` // 192 characters

  test.each([
    'parent@karras.test',
    'a@b.tn',
    ' a@b.tn',
    'a@b.tn\n',
    "o'neil+tag.x_y-z@sub.mail-1.example.com",
    `${'a'.repeat(64)}@b.tn`,
    `${'a'.repeat(61)}@${domain}`, // 254 in all
  ])('accepts %s', (address) => {
    expect(email(address)).toBeNull()
  })

  test.each([
    'a',
    '@b.tn',
    'a@',
    'a@b',
    'a@@b.tn',
    'a b@c.tn',
    '.a@b.tn',
    'a.@b.tn',
    'a..b@c.tn',
    'a@-b.tn',
    'a@b-.tn',
    'a@b..tn',
    'a@.tn',
    'a@b.tn.',
    'a@b_c.tn',
    '<a@b.tn>',
    'a@b.tn,c@d.tn',
    `${'a'.repeat(65)}@b.tn`,
    `${'a'.repeat(62)}@${domain}`, // 255 in all
    `a@${'b'.repeat(64)}.tn`,
  ])('refuses %s', (address) => {
    expect(email(address)).toBe('email')
  })

  test('accepts generated addresses, and no text without an @', () => {
    fc.assert(fc.property(fc.emailAddress(), (address) => email(address) === null))
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        expect(email(text.replaceAll('@', 'a'))).toBe('email')
      }),
    )
  })
})

describe('passwords', () => {
  test.each([
    ['', 'required'],
    ['12345', 'minLength'],
    ['123456', null],
    ['      ', null],
    ['x'.repeat(128), null],
    ['x'.repeat(129), 'maxLength'],
  ])('%j: %s', (password, problem) => {
    expect(checkPassword(password)).toBe(problem)
  })

  test('must match when repeated', () => {
    expect(checkConfirmation('secret', '')).toBe('required')
    expect(checkConfirmation('secret', 'Secret')).toBe('mismatch')
    expect(checkConfirmation('secret', 'secret')).toBeNull()
  })
})

describe('normalisePhone', () => {
  test.each([
    '98123456',
    '98 123 456',
    '98.123.456',
    '98-123-456',
    '+216 98 123 456',
    '+21698123456',
    '00216 98123456',
    '٩٨١٢٣٤٥٦',
    '+٢١٦ ٩٨ ١٢٣ ٤٥٦',
    '۹۸۱۲۳۴۵۶',
    '\u200e+216 98 123 456\u200e',
    '98\u00a0123\u00a0456',
    '(+216) 98 123 456',
    '216 98 123 456',
    '21698123456',
    '00216-98-123-456',
    '98‑123‑456',
    '98–123–456',
    '98−123−456',
    '98ـ123ـ456',
    '98/123/456',
    '98 12 34 56',
    '\u2066+216\u202f98\u200b123\u200f456\u2069',
    '\ufeff98\u00ad123456',
    '（＋２１６）９８１２３４５６',
  ])('reads %j', (text) => {
    expect(normalisePhone(text)).toBe('98123456')
  })

  test.each([
    '',
    '9812345',
    '981234567',
    '08123456',
    '+33698123456',
    '+2169812345',
    '216216216',
    '+21621698123456',
    '98123456 98123456',
    '9812345a',
    '+98123456',
  ])('refuses %j', (text) => {
    expect(normalisePhone(text)).toBeNull()
  })

  test('leaves a normalised number unchanged', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10_000_000, max: 99_999_999 }).map(String), (digits) => {
        expect(normalisePhone(digits)).toBe(digits)
        expect(normalisePhone(`+216${digits}`)).toBe(digits)
        expect(normalisePhone(`00216 ${digits}`)).toBe(digits)
      }),
    )
  })
})
