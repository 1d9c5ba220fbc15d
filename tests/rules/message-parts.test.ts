import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { messageParts } from '../../src/rules/message-parts.ts'

const HERE = 'https://shop.example'
const links = (text: string) =>
  messageParts(text, HERE).flatMap((part) => (part.kind === 'link' ? [part] : []))

describe('the parts of a message', () => {
  test('an address on this site becomes a link, and a document’s address names the document', () => {
    expect(messageParts(`See ${HERE}/fr/shop-details/12, please`, HERE)).toEqual([
      { kind: 'text', text: 'See ' },
      {
        kind: 'link',
        text: `${HERE}/fr/shop-details/12`,
        path: '/fr/shop-details/12',
        documentId: 12,
      },
      { kind: 'text', text: ', please' },
    ])
    expect(links(`${HERE}/shop?level=high-school#top`)).toMatchObject([
      { path: '/shop?level=high-school#top', documentId: null },
    ])
  })

  test.each([
    'https://evil.example/shop-details/1',
    'https://shop.example.evil.example/shop-details/1',
    'https://shop.example@evil.example/shop-details/1',
    'https://user:pass@shop.example/shop-details/1',
    'http://shop.example/shop-details/1',
    'https://shop.example:8443/shop-details/1',
    '//shop.example/shop-details/1',
    '/shop-details/1',
    'https://shop.example//evil.example/x',
    'https://shop.example/\\evil.example',
    'https://shop.example/.//evil.example',
    'javascript:alert(1)//https:shop.example',
    'data:text/html,https',
    'https://',
    '<a href="https://evil.example">https://shop.example.</a>x'.replace('shop', 'other'),
  ])('is not a link: %s', (text) => {
    expect(links(text)).toEqual([])
    expect(
      messageParts(text, HERE)
        .map((part) => part.text)
        .join(''),
    ).toBe(text)
  })

  test('for any text, the parts add up to the message and links stay on this site', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(HERE, `${HERE}/shop-details/3`, 'https://', '//', '@', '\u2068', '<', '"'),
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('')
        const parts = messageParts(text, HERE)
        expect(parts.map((part) => part.text).join('')).toBe(text)
        for (const part of parts) {
          if (part.kind === 'link') expect(new URL(part.path, HERE).origin).toBe(HERE)
        }
      }),
      { numRuns: 2000 },
    )
  })
})
