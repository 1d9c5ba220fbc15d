import { describe, expect, test } from 'vitest'
import { factFiller } from '../../src/i18n/facts.ts'
import { limitText, priceText } from '../../src/i18n/format.ts'
import { LOCALES } from '../../src/i18n/locales.ts'
import { textsIn } from '../../src/i18n/texts.ts'
import { dinars } from '../../src/rules/money.ts'
import { SITE } from '../../src/site.ts'

describe('an amount in a sentence', () => {
  test('is one isolated run, with the currency sign of its language', () => {
    expect(priceText('ar', dinars(12.5))).toBe('\u206812.50\u00a0د.ت\u2069')
    expect(priceText('fr', dinars(12.5))).toBe('\u206812,50\u00a0DT\u2069')
    expect(priceText('en', dinars(12.5))).toBe('\u206812.50\u00a0TND\u2069')
  })

  test('as a limit has decimals only where they are not zero', () => {
    expect(LOCALES.map((locale) => limitText(locale, dinars(2000)))).toEqual([
      '\u20682000\u00a0د.ت\u2069',
      '\u20682000\u00a0DT\u2069',
      '\u20682000\u00a0TND\u2069',
    ])
    expect(limitText('fr', dinars(12.5))).toBe('\u206812,50\u00a0DT\u2069')
    expect(limitText('ar', dinars(0))).toBe('\u20680\u00a0د.ت\u2069')
  })

  test('comes from the rule, and other placeholders of a text stay open', () => {
    const units = textsIn('en', 'units:counts')
    const text = 'from {{minimumTopUp}} to {{maximumTopUp}}, {{passwordLength}}, {{name}}'
    expect(factFiller('en', units, SITE)(text)).toBe(
      'from \u206810\u00a0TND\u2069 to \u20682000\u00a0TND\u2069, 6 characters, {{name}}',
    )
  })
})
