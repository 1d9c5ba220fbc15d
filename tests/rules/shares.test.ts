import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvTable } from '../../src/rules/csv.ts'
import { dinars } from '../../src/rules/money.ts'
import { WITHHOLDING_PERCENT_MAX, withheldOf } from '../../src/rules/payouts.ts'
import { isRib, RIB_EXAMPLE, readableRib, ribDigits } from '../../src/rules/rib.ts'
import { teacherShare } from '../../src/rules/shares.ts'
import { monthsAfter, startOfMonth, tunisianDay } from '../../src/rules/tunisia-time.ts'

describe('a share', () => {
  test.each([
    [dinars(10), 70, dinars(7)],
    [dinars(5.55), 70, dinars(3.88)],
    [dinars(0.01), 99, 0],
    [dinars(500), 100, dinars(500)],
    [dinars(12.5), 0, 0],
  ])('of %i millimes at %i %% is %i', (price, percent, share) => {
    expect(teacherShare(price, percent)).toBe(share)
  })

  test('and the rest add up to the whole price, both in whole hundredths of a dinar', () => {
    const price = fc.integer({ min: 0, max: 100_000 }).map((hundredths) => hundredths * 10)
    fc.assert(
      fc.property(price, fc.integer({ min: 0, max: 100 }), (whole, percent) => {
        const share = teacherShare(whole, percent)
        expect(share % 10).toBe(0)
        expect(share).toBeGreaterThanOrEqual(0)
        expect(share).toBeLessThanOrEqual(whole)
        // Never more than exact, and less than 10 millimes below it.
        expect(share * 100).toBeLessThanOrEqual(whole * percent)
        expect((share + 10) * 100).toBeGreaterThan(whole * percent)
      }),
    )
  })
})

describe('what is withheld of a payout', () => {
  test.each([
    [dinars(100), 15, dinars(15)],
    [dinars(60.55), 1.5, dinars(0.9)],
    [dinars(50), 0, 0],
  ])('%i millimes at %d %% is %i', (amount, percent, withheld) => {
    expect(withheldOf(amount, percent)).toBe(withheld)
  })

  test('is whole hundredths of a dinar, never more than exact, and leaves something', () => {
    const amount = fc.integer({ min: 1, max: 1_000_000 }).map((hundredths) => hundredths * 10)
    const rate = fc.integer({ min: 0, max: 100 * WITHHOLDING_PERCENT_MAX })
    fc.assert(
      fc.property(amount, rate, (whole, hundredths) => {
        const withheld = withheldOf(whole, hundredths / 100)
        expect(withheld % 10).toBe(0)
        expect(withheld).toBeLessThan(whole)
        expect(withheld * 10_000).toBeLessThanOrEqual(whole * hundredths)
        expect((withheld + 10) * 10_000).toBeGreaterThan(whole * hundredths)
      }),
    )
  })
})

describe('a bank account number', () => {
  /** Adds the check digits that the bank would compute. */
  const withKey = (start: string) => {
    const rest = Number((BigInt(start) * 100n) % 97n)
    return start + String(97 - rest).padStart(2, '0')
  }

  test('is 20 digits with check digits, with any separators', () => {
    const rib = withKey('080060230110004567')
    expect(isRib(rib)).toBe(true)
    expect(isRib(readableRib(rib))).toBe(true)
    expect(isRib(`\u2067${rib.replace(/(.{5})/g, '$1-')}\u2069`)).toBe(true)
    const arabic = rib.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] ?? '')
    expect(ribDigits(arabic)).toBe(rib)
    expect(isRib(arabic)).toBe(true)
  })

  test.each([
    'TN59 0800 6023 0110 0045 6789',
    'TN5908006023011000456789',
    'RIB : 08006023011000456789',
    'IBAN: tn59 0800 6023 0110 0045 6789',
    'RIB BIAT 08 006 0230110004567 89',
    'رقم الحساب: ٠٨٠٠٦٠٢٣٠١١٠٠٠٤٥٦٧٨٩',
    RIB_EXAMPLE,
  ])('is read out of %j', (text) => {
    expect(isRib(text)).toBe(true)
    expect(ribDigits(text)).toBe('08006023011000456789')
  })

  test('is not read out of the IBAN of another country, or one with wrong check digits', () => {
    expect(isRib('FR7608006023011000456789')).toBe(false)
    expect(isRib('TN5808006023011000456789')).toBe(false)
  })

  test('of zeros, with 97 as its check digits, and of anything else', () => {
    expect(isRib('0'.repeat(20))).toBe(false)
    expect(isRib(`${'0'.repeat(18)}97`)).toBe(true)
    for (const text of [
      '',
      '1',
      '1'.repeat(19),
      '1'.repeat(21),
      'TN5908006',
      `${'1'.repeat(19)}x`,
    ]) {
      expect(isRib(text), text).toBe(false)
    }
  })

  test('with one wrong or two swapped digits is invalid', () => {
    const starts = fc.string({
      unit: fc.constantFrom(...'0123456789'),
      minLength: 18,
      maxLength: 18,
    })
    fc.assert(
      fc.property(starts, fc.nat(19), fc.integer({ min: 1, max: 9 }), (start, place, by) => {
        const rib = withKey(start)
        const digits = [...rib].map(Number)
        const wrong = digits.map((digit, at) => (at === place ? (digit + by) % 10 : digit)).join('')
        expect(isRib(rib)).toBe(true)
        expect(isRib(wrong)).toBe(false)
        const [one, two] = [digits[place], digits[(place + 1) % 20]]
        if (place < 19 && one !== two) {
          const swapped = [...digits]
          swapped[place] = two ?? 0
          swapped[place + 1] = one ?? 0
          expect(isRib(swapped.join(''))).toBe(false)
        }
      }),
    )
  })
})

describe('a table as CSV', () => {
  test('has a BOM, semicolons, decimal commas and CRLF', () => {
    expect(
      csvTable([
        ['a', 1.5, null],
        ['b "c";', -2, 'é\nf'],
      ]),
    ).toBe('\uFEFFa;1,5;\r\n"b ""c"";";-2;"é\nf"\r\n')
  })

  test.each(['=1+1', '+1', '-1', '@x', '\t=1', ' =1', '\r=1', '|x'])(
    'escapes formulas: %j',
    (text) => {
      expect(
        csvTable([[text]])
          .slice(1)
          .replace(/^"/, '')
          .startsWith("'"),
      ).toBe(true)
    },
  )
})

test('days and months are in Tunisian time, an hour ahead of UTC', () => {
  expect(tunisianDay(new Date('2026-12-31T22:59:59Z'))).toBe('2026-12-31')
  expect(tunisianDay(new Date('2026-12-31T23:00:00Z'))).toBe('2027-01-01')
  expect(startOfMonth('2026-03').toISOString()).toBe('2026-02-28T23:00:00.000Z')
  expect(monthsAfter('2026-01', -1)).toBe('2025-12')
  expect(monthsAfter('2026-12', 1)).toBe('2027-01')
})
