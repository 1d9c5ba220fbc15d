import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatDate } from '../../src/i18n/dates.ts'
import {
  bareAmount,
  DECIMAL_MARK,
  limitText,
  percentText,
  priceParts,
  priceText,
} from '../../src/i18n/format.ts'
import { labelled } from '../../src/i18n/listed.ts'
import type { Locale } from '../../src/i18n/locales.ts'
import { LOCALES } from '../../src/i18n/locales.ts'
import { factFiller, textsIn } from '../../src/i18n/texts.ts'
import { dinars, formatAmount } from '../../src/rules/money.ts'
import { SITE } from '../../src/site.ts'

describe('an amount in a sentence', () => {
  test('is one isolated run, with the currency sign of its language', () => {
    expect(priceText('ar', dinars(12.5))).toBe('\u206812.50\u00a0د.ت\u2069')
    expect(priceText('fr', dinars(12.5))).toBe('\u206812,50\u00a0DT\u2069')
    expect(priceText('en', dinars(12.5))).toBe('\u206812.50\u00a0TND\u2069')
  })

  test('is in groups of three', () => {
    expect(bareAmount('fr', dinars(1234567.5))).toBe('1\u00a0234\u00a0567,50\u00a0DT')
    expect(bareAmount('en', dinars(-1500))).toBe('-1,500.00\u00a0TND')
    expect(bareAmount('ar', dinars(999.99))).toBe('999.99\u00a0د.ت')
    expect(bareAmount('fr', dinars(-0.5))).toBe('-0,50\u00a0DT')
  })

  test('is the amount again without the groups', () => {
    const amounts = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map((n) => n * 10)
    fc.assert(
      fc.property(amounts, fc.constantFrom(...LOCALES), (amount, locale) => {
        const { number } = priceParts(locale, amount)
        const group = locale === 'en' ? ',' : '\u00a0'
        expect(number).toMatch(new RegExp(`^-?\\d{1,3}(?:${group}\\d{3})*[.,]\\d\\d$`))
        expect(number.replaceAll(group, '')).toBe(formatAmount(amount, DECIMAL_MARK[locale]))
      }),
    )
  })

  test('as a limit has decimals only where they are not zero', () => {
    expect(LOCALES.map((locale) => limitText(locale, dinars(2000)))).toEqual([
      '\u20682\u00a0000\u00a0د.ت\u2069',
      '\u20682\u00a0000\u00a0DT\u2069',
      '\u20682,000\u00a0TND\u2069',
    ])
    expect(limitText('fr', dinars(12.5))).toBe('\u206812,50\u00a0DT\u2069')
    expect(limitText('ar', dinars(0))).toBe('\u20680\u00a0د.ت\u2069')
  })

  test('comes from the rule, and other placeholders of a text stay open', () => {
    const units = textsIn('en', 'units:counts')
    const text = 'from {{minimumTopUp}} to {{maximumTopUp}}, {{passwordLength}}, {{name}}'
    expect(factFiller('en', units, SITE)(text)).toBe(
      'from \u206810\u00a0TND\u2069 to \u20682,000\u00a0TND\u2069, 6 characters, {{name}}',
    )
  })
})

test('French has a no-break space before a percent sign and a colon, other languages none', () => {
  expect(LOCALES.map((locale) => percentText(locale, 25))).toEqual(['25%', '25\u00a0%', '25%'])
  expect(LOCALES.map((locale) => labelled(locale, 'Prix', 3))).toEqual([
    'Prix: 3',
    'Prix\u00a0: 3',
    'Prix: 3',
  ])
})

test('a day has its month in words, and in French the first of a month its ending', () => {
  const day = (locale: Locale, iso: string) => formatDate(locale, iso)
  expect(day('fr', '2026-10-01T10:00:00Z')).toBe('1er octobre 2026')
  expect(day('fr', '2026-09-30T23:30:00Z')).toBe('1er octobre 2026')
  expect(day('fr', '2026-10-11T10:00:00Z')).toBe('11 octobre 2026')
  expect(day('en', '2026-10-01T10:00:00Z')).toBe('1 October 2026')
  expect(day('ar', '2026-10-01T10:00:00Z')).toBe('1 أكتوبر 2026')
})
