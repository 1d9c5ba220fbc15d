import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { safeReturnTo } from '../../src/rules/return-to.ts'

const site = 'https://karras.test'

describe('safeReturnTo', () => {
  test.each([
    '/',
    '/shop',
    '/fr/shop-details/12',
    '/shop?search=x&level=high-school',
    '/checkout#pay',
    '/charging?returnTo=%2Fcheckout&documentPrice=12.5',
    '/login?returnTo=//evil.example',
    '/a%2Fb',
    '/javascript:alert(1)',
    '/@evil.example',
    '/shop?search=%D8%AF%D8%B1%D8%B3',
  ])('keeps %s', (path) => {
    expect(safeReturnTo(path, '/home')).toBe(path)
  })

  test('encodes Arabic, so that it fits a header', () => {
    expect(safeReturnTo('/shop?search=درس', '/')).toBe('/shop?search=%D8%AF%D8%B1%D8%B3')
  })

  test.each([
    undefined,
    null,
    5,
    ['/shop'],
    { toString: () => '/shop' },
    '',
    'shop',
    ' /shop',
    'https://evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    '///evil.example',
    '////evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/shop\\..',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    '/\u0000/evil.example',
    '/shop?x=\r\nSet-Cookie:a',
    '/%2f%2fevil.example',
    '/%2Fevil.example',
    '%2f%2fevil.example',
    '/%5cevil.example',
    '/%5Cevil.example',
    '/%252fevil.example',
    '/%25252fevil.example',
    '/%255cevil.example',
    '/%09/evil.example',
    '/%0d%0aSet-Cookie:a',
    '/%00',
    '/..//evil.example',
    '/.//evil.example',
    '/%2e%2e//evil.example',
    '/..%2f/evil.example',
    '/shop/..//evil.example',
    '/／evil.example',
    '/⁄evil.example',
    '/∕evil.example',
    '/＼evil.example',
    '/%EF%BC%8Fevil.example',
    '/\u202eshop',
    '/\u2028',
    '/\ud800',
    '/%',
    '/%zz',
    '/%c0%afevil.example',
    `/${'a'.repeat(2048)}`,
  ])('ignores %j', (value) => {
    expect(safeReturnTo(value, '/home')).toBe('/home')
  })

  test('stays on the site and is idempotent, for any input', () => {
    const tricky = fc.constantFrom(
      ...[
        '/',
        '\\',
        '%2f',
        '%5c',
        '%25',
        '.',
        '..',
        '%2e',
        ':',
        '@',
        '?',
        '#',
        '\t',
        '／',
        'a',
        'س',
      ],
      ...['https:', 'evil.example'],
    )
    const attempt = fc.oneof(
      fc.array(tricky).map((parts) => `/${parts.join('')}`),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(attempt, (value) => {
        const path = safeReturnTo(value, '/home')
        expect(new URL(path, site).origin).toBe(site)
        expect(new URL(decodeURIComponent(path.split(/[?#]/, 1)[0] ?? ''), site).origin).toBe(site)
        expect(path).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/)
        expect(safeReturnTo(path, '/other')).toBe(path)
      }),
      { numRuns: 1000 },
    )
  })
})
