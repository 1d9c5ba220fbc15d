import { describe, expect, test } from 'vitest'
import { limitText, priceText } from '../../src/i18n/format.ts'
import { fillLimits } from '../../src/i18n/limits.ts'
import { LOCALES } from '../../src/i18n/locales.ts'
import { dinars } from '../../src/rules/money.ts'
import { read, sourceFiles } from '../checks/source.ts'

describe('an amount in a sentence', () => {
  test('is one isolated piece, with the sign of its language', () => {
    expect(priceText('ar', dinars(12.5))).toBe('\u206812.50\u00a0د.ت\u2069')
    expect(priceText('fr', dinars(12.5))).toBe('\u206812,50\u00a0DT\u2069')
    expect(priceText('en', dinars(12.5))).toBe('\u206812.50\u00a0TND\u2069')
  })

  test('that is a limit has decimals only where they say something', () => {
    expect(LOCALES.map((locale) => limitText(locale, dinars(2000)))).toEqual([
      '\u20682000\u00a0د.ت\u2069',
      '\u20682000\u00a0DT\u2069',
      '\u20682000\u00a0TND\u2069',
    ])
    expect(limitText('fr', dinars(12.5))).toBe('\u206812,50\u00a0DT\u2069')
    expect(limitText('ar', dinars(0))).toBe('\u20680\u00a0د.ت\u2069')
  })

  test('comes from the rule, and other places of a text stay open', () => {
    expect(fillLimits('en', 'from {{minimumTopUp}} to {{maximumTopUp}}, {{name}}')).toBe(
      'from \u206810\u00a0TND\u2069 to \u20682000\u00a0TND\u2069, {{name}}',
    )
  })

  test('is written out in no text', () => {
    const written = sourceFiles(/^locales\/\w+\/[\w-]+\.json$/).filter((file) =>
      /\d[\s\u00a0]*(?:TND|DT\b|د\.ت)/.test(read(file)),
    )
    expect(written).toEqual([])
  })
})
