import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shareAddresses } from '../../src/rules/share.ts'

test('a text and a page reach both apps unchanged, whatever they contain', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.webUrl({ withQueryParameters: true }),
      (text, page) => {
        const { whatsApp, telegram } = shareAddresses(text, page)
        expect(new URL(whatsApp).searchParams.get('text')).toBe(`${text}\n${page}`)
        const { searchParams } = new URL(telegram)
        expect([searchParams.get('text'), searchParams.get('url')]).toEqual([text, page])
      },
    ),
  )
})
