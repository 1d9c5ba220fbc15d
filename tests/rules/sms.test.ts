import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LOCALES } from '../../src/i18n/locales.ts'
import { longestMessage } from '../../src/i18n/text-messages.ts'
import { TEXTS } from '../../src/i18n/texts.ts'
import { fitsOneMessage, plainMessage, readCode } from '../../src/rules/sms.ts'
import { shortMessage } from '../../src/server/mail/text-messages.ts'

describe('a message', () => {
  test('is one with 160 characters of GSM, or 70 with any other', () => {
    expect(fitsOneMessage('é'.repeat(160))).toBe(true)
    expect(fitsOneMessage('é'.repeat(161))).toBe(false)
    expect(fitsOneMessage('€'.repeat(80))).toBe(true)
    expect(fitsOneMessage('€'.repeat(81))).toBe(false)
    expect(fitsOneMessage('ç'.repeat(70))).toBe(true)
    expect(fitsOneMessage(`${'a'.repeat(70)}ç`)).toBe(false)
    expect(fitsOneMessage('ش'.repeat(70))).toBe(true)
    expect(fitsOneMessage('ش'.repeat(71))).toBe(false)
    // Two places of UCS-2 each.
    expect(fitsOneMessage('🙂'.repeat(35))).toBe(true)
    expect(fitsOneMessage('🙂'.repeat(36))).toBe(false)
  })

  test('that fits still fits with its end cut off', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 170 }), fc.nat(), (text, cut) => {
        fc.pre(fitsOneMessage(text))
        expect(fitsOneMessage([...text].slice(0, cut).join(''))).toBe(true)
      }),
    )
  })

  const kinds = Object.keys(TEXTS.ar.sms) as (keyof typeof TEXTS.ar.sms)[]
  test.each(LOCALES.flatMap((locale) => kinds.map((kind) => [locale, kind] as const)))(
    'in %s about %s is one with its longest values, and bears the name where there is room',
    (locale, kind) => {
      const written = longestMessage(locale, TEXTS[locale].sms[kind])
      const filled = { ...TEXTS[locale], sms: { ...TEXTS[locale].sms, [kind]: written } }
      const text = shortMessage({ ...TEXTS, [locale]: filled }, locale, kind)
      expect(text).not.toMatch(/\{\{|undefined|[\u2066-\u2069\u00a0]/)
      expect(fitsOneMessage(text)).toBe(true)
      if (kind === 'code') expect(text).toContain(plainMessage(TEXTS[locale].brand.name))
      // The texts of a shop with any name.
      const named = { ...filled, brand: { ...TEXTS[locale].brand, name: 'ك'.repeat(100) } }
      const other = shortMessage({ ...TEXTS, [locale]: named }, locale, kind)
      expect(fitsOneMessage(other)).toBe(true)
    },
  )
})

test('a typed code is read with Arabic digits and spaces', () => {
  expect(readCode(' ١٢٣ ٤٥٦ ')).toBe('123456')
  expect(readCode('12345')).toBeNull()
  expect(readCode('1234567')).toBeNull()
})
