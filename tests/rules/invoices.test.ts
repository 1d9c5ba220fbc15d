import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  creditSums,
  grossOf,
  invoiceNumber,
  invoiceSums,
  readVatRate,
} from '../../src/rules/invoices.ts'
import { dinars } from '../../src/rules/money.ts'
import { registerProblem, shownRegister, taxNumberProblem } from '../../src/rules/site-facts.ts'
import { readTaxNumber, TAX_NUMBER_EXAMPLE } from '../../src/rules/tax-number.ts'

/** Prices, always whole tens of millimes. */
const price = fc.integer({ min: 50, max: 50_000 }).map((tens) => tens * 10)
const rate = fc.constantFrom(null, 0, 7, 13, 19, 7.5, 0.01, 50)
const stamp = fc.constantFrom(0, dinars(1), dinars(0.6))

describe('the sums of an invoice', () => {
  test('have VAT and stamp duty inside what was paid', () => {
    const sums = invoiceSums(dinars(12.5), { rate: 19, stamp: dinars(1) })
    expect(sums).toEqual({ net: 9664, vat: 1836, stamp: 1000 })
    expect(invoiceSums(dinars(10), { rate: 0, stamp: 0 })).toEqual({
      net: 10_000,
      vat: 0,
      stamp: 0,
    })
  })

  test('are none for what is free, or does not exceed the stamp duty', () => {
    expect(invoiceSums(0, { rate: 19, stamp: 0 })).toBeNull()
    expect(invoiceSums(dinars(1), { rate: 19, stamp: dinars(1) })).toBeNull()
  })

  test('make up what was paid to the millime, at any rate, and the VAT is that rate of the net', () => {
    fc.assert(
      fc.property(
        fc.array(price, { minLength: 1, maxLength: 30 }),
        rate,
        stamp,
        (prices, rate, stamp) => {
          const paid = prices.reduce((sum, each) => sum + each, 0)
          const sums = invoiceSums(paid, { rate, stamp })
          if (!sums) {
            expect(paid).toBeLessThanOrEqual(stamp)
            return
          }
          expect(grossOf(sums)).toBe(paid)
          expect(Object.values(sums).every((sum) => Number.isInteger(sum) && sum >= 0)).toBe(true)
          expect(Math.abs(sums.vat - (sums.net * (rate ?? 0)) / 100)).toBeLessThanOrEqual(1)
        },
      ),
    )
  })

  test('are taken back by credit notes, each of what it refunds, all together exactly', () => {
    fc.assert(
      fc.property(
        fc.array(price, { minLength: 1, maxLength: 12 }),
        rate,
        stamp,
        (prices, rate, stamp) => {
          const paid = prices.reduce((sum, each) => sum + each, 0)
          const invoice = invoiceSums(paid, { rate, stamp })
          if (!invoice) return
          let before = 0
          const left = { ...invoice }
          for (const refunded of prices) {
            const credit = creditSums(invoice, before, refunded)
            expect(grossOf(credit)).toBe(refunded)
            for (const part of ['net', 'vat', 'stamp'] as const) left[part] -= credit[part]
            before += refunded
          }
          expect(left).toEqual({ net: 0, vat: 0, stamp: 0 })
        },
      ),
    )
  })
})

test('the number of an invoice names its year', () => {
  expect(invoiceNumber({ year: 2026, number: 123 })).toBe('2026-000123')
})

test.each([
  ['19', '19'],
  ['7,5 %', '7.5'],
  ['٧', '7'],
  ['0', '0'],
  ['51', null],
  ['-1', null],
  ['abc', null],
])('%j is the VAT rate %j', (typed, rate) => {
  expect(readVatRate(typed)).toBe(rate)
})

describe('a tax number', () => {
  test.each([
    ['1282182W/A/M/000', '1282182W/A/M/000'],
    ['1282182 w a m 000', '1282182W/A/M/000'],
    ['0000121/J/P/C/000', '0000121J/P/C/000'],
    ['1496298TPN000', '1496298T/P/N/000'],
    ['١٢٨٢١٨٢W/A/M/000', '1282182W/A/M/000'],
    ['1282182W/A/E/001', '1282182W/A/E/001'],
    // As the register of companies prints it, and as people write it.
    ['1282182W', '1282182W'],
    ['1234567 / r', '1234567R'],
    ['1282182w/a/m', '1282182W/A/M/000'],
    ['MF : 1282182 W - A - M - 000', '1282182W/A/M/000'],
    ['المعرّف الجبائي: 1282182W', '1282182W'],
    ['1282182W|A|M|000', '1282182W/A/M/000'],
    // Old numbers, without their leading zeros.
    ['765432X/A/M/000', '0765432X/A/M/000'],
    ['121J', '0000121J'],
    // Another key, a letter that no key is, an establishment that this category lacks, half of one.
    ['1282182X/A/M/000', null],
    ['1282182I/A/M/000', null],
    ['1282182W/A/M/001', null],
    ['1282182', null],
    ['A1282182W', null],
    ['', null],
  ])('%j is read as %j', (typed, number) => {
    expect(readTaxNumber(typed)).toBe(number)
  })

  test('is read from every way to write it: zeros, separators, letters, with or without its end', () => {
    const sign = fc.constantFrom('', ' ', '/', ' / ', '-', '.', '\u00a0')
    const label = fc.constantFrom('', 'MF ', 'M.F. : ', 'matricule fiscal:', '\u2067')
    const number = fc.integer({ min: 1, max: 9_999_999 }).map((n) => {
      const digits = String(n).padStart(7, '0')
      const key = [...'ABCDEFGHJKLMNPQRSTVWXYZ'].find((key) => readTaxNumber(`${digits}${key}`))
      return { digits, key: key ?? '' }
    })
    fc.assert(
      fc.property(
        number,
        sign,
        label,
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        ({ digits, key }, sign, label, isShort, isAlone, isSmall) => {
          const start = isShort ? digits.replace(/^0+/, '') : digits
          const typed = [start, key, ...(isAlone ? [] : ['B', 'C', '000'])].join(sign)
          expect(readTaxNumber(label + (isSmall ? typed.toLowerCase() : typed))).toBe(
            `${digits}${key}${isAlone ? '' : '/B/C/000'}`,
          )
        },
      ),
    )
  })

  test('and a register number that are none stay as they were typed, and are refused', () => {
    for (const typed of ['abc', 'MF', 'A1234567R', '12345678R']) {
      expect(registerProblem(typed), typed).toBe('pattern')
      expect(taxNumberProblem(typed), typed).toBe('pattern')
      expect(shownRegister(typed), typed).toBe(typed.toUpperCase())
    }
    expect(shownRegister('RNE : 765432 x')).toBe('0765432X')
  })

  test('shown as an example is one', () => {
    expect(readTaxNumber(TAX_NUMBER_EXAMPLE)).toBe(TAX_NUMBER_EXAMPLE)
  })

  test('has one key for its digits', () => {
    const digits = fc.integer({ min: 0, max: 9_999_999 }).map((n) => String(n).padStart(7, '0'))
    fc.assert(
      fc.property(digits, (digits) => {
        const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
        const keys = letters.filter((key) => readTaxNumber(`${digits}${key}/A/M/000`))
        expect(keys).toHaveLength(1)
        expect('IOU').not.toContain(keys[0])
      }),
    )
  })
})
