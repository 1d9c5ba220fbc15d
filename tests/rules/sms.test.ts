import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatDate } from '../../src/i18n/dates.ts'
import { priceText } from '../../src/i18n/format.ts'
import { LOCALES } from '../../src/i18n/locales.ts'
import { TEXTS } from '../../src/i18n/texts.ts'
import { ORDER_MAX_DOCUMENTS } from '../../src/rules/cart.ts'
import { DOCUMENT_PRICE_MAX } from '../../src/rules/document-fields.ts'
import { dinars } from '../../src/rules/money.ts'
import { CODE_DIGITS, fitsOneMessage, plainMessage, readCode } from '../../src/rules/sms.ts'
import { CODE_MINUTES } from '../../src/server/accounts/phone-codes.ts'
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

  const most = DOCUMENT_PRICE_MAX * ORDER_MAX_DOCUMENTS
  const kinds = Object.keys(TEXTS.ar.sms) as (keyof typeof TEXTS.ar.sms)[]
  test.each(LOCALES.flatMap((locale) => kinds.map((kind) => [locale, kind] as const)))(
    'in %s about %s is one with its longest values, and bears the name where there is room',
    (locale, kind) => {
      for (let month = 0; month < 12; month++) {
        const values = {
          amount: priceText(locale, Math.max(most, dinars(99_999.99))),
          code: '8'.repeat(CODE_DIGITS),
          minutes: CODE_MINUTES,
          date: formatDate(locale, new Date(Date.UTC(2027, month, 28)).toISOString()),
        }
        const text = shortMessage(TEXTS, locale, kind, values)
        expect(text).not.toMatch(/\{\{|undefined|[\u2066-\u2069\u00a0]/)
        expect(fitsOneMessage(text)).toBe(true)
        if (kind === 'code') expect(text).toContain(plainMessage(TEXTS[locale].brand.name))
        // Of a shop with any name.
        const named = { ...TEXTS[locale], brand: { ...TEXTS[locale].brand, name: 'ك'.repeat(100) } }
        const other = shortMessage({ ...TEXTS, [locale]: named }, locale, kind, values)
        expect(fitsOneMessage(other)).toBe(true)
      }
    },
  )
})

test('a typed code is read with Arabic digits and spaces', () => {
  expect(readCode(' ١٢٣ ٤٥٦ ')).toBe('123456')
  expect(readCode('12345')).toBeNull()
  expect(readCode('1234567')).toBeNull()
})
