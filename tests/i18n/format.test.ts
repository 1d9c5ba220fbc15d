import { describe, expect, test } from 'vitest'
import { fillFacts } from '../../src/i18n/facts.ts'
import { bareAmount, limitText, priceText } from '../../src/i18n/format.ts'
import { LOCALES } from '../../src/i18n/locales.ts'
import { textsIn } from '../../src/i18n/texts.ts'
import { dinars } from '../../src/rules/money.ts'

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
    expect(fillFacts('en', units, text)).toBe(
      'from \u206810\u00a0TND\u2069 to \u20682,000\u00a0TND\u2069, 6 characters, {{name}}',
    )
  })
})
