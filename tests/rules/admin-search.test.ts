import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { meaningsOf } from '../../src/rules/admin-search.ts'
import { dinars } from '../../src/rules/money.ts'
import { readableReference, referenceStart } from '../../src/rules/typed-numbers.ts'

describe('the reference of a payment', () => {
  test.each([
    'KR-1A2B-3C4D',
    'kr-1a2b-3c4d',
    'Kr–1A2b—3c4D',
    'KR‑1A2B‑3C4D',
    'KR−1A2B−3C4D',
    'KRـ1A2Bـ3C4D',
    'KR 1A2B 3C4D',
    '\u2068KR-1A2B-3C4D\u2069',
    '\u200fKR-1A2B-3C4D\u200f.',
    'KR-1A2B-3C4D.',
    'KR-1A2B-3C4D\u00a0؛',
    'KR\u2066-1A2B\u2069-\u200b3C4D،',
    'ＫＲ-1A2B-3C4D',
    'XY-1A2B-3C4D',
    '1A2B-3C4D',
    '1a2b3c4d',
  ])('%j is read', (pasted) => {
    expect(referenceStart(pasted)).toBe('1a2b3c4d')
  })

  test('is found again as it is shown, however it is pasted', () => {
    const hex = fc.string({
      unit: fc.constantFrom(...'0123456789abcdef'),
      minLength: 24,
      maxLength: 24,
    })
    const around = fc.constantFrom('', ' ', '\u200f', '\u2068', '\u2069', '\ufeff', '\u00a0')
    fc.assert(
      fc.property(
        hex,
        around,
        around,
        fc.constantFrom('', '.', ' .'),
        fc.constantFrom('KR', 'MD', 'AA', 'ZB'),
        (reference, before, after, dot, prefix) => {
          expect(referenceStart(before + reference.toUpperCase() + dot + after)).toBe(reference)
          const shown = readableReference(reference, prefix)
          expect(referenceStart(before + shown + dot + after)).toBe(reference.slice(0, 8))
        },
      ),
    )
  })

  test.each(['', 'KR-', 'KR-1A2B', 'KR-1A2B-3C4D5', 'KR-1A2B-3C4G', 'KRX-1A2B-3C4D'])(
    '%j is none',
    (text) => {
      expect(referenceStart(text)).toBeNull()
    },
  )
})

test.each([
  ['30.000', dinars(30), null],
  ['30,000', dinars(30), null],
  ['30.000 DT', dinars(30), null],
  ['٣٠٫٠٠٠ د.ت', dinars(30), null],
  ['\u206830\u00a0TND\u2069', dinars(30), null],
  ['30', dinars(30), 30],
  ['٣٠\u200f', dinars(30), 30],
  ['#12', null, 12],
  ['№ 12', null, 12],
  ['N° 12', null, 12],
  ['12.345', null, null],
])('%j may be the amount %s or the number %s', (text, amount, number) => {
  expect(meaningsOf(text)).toMatchObject({ amount, number })
})
