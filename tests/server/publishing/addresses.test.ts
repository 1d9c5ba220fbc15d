import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  destinationOf,
  isPaymentStep,
  rulesOf,
} from '../../../src/server/publishing/addresses/addresses.ts'
import { routeOf } from '../../../src/server/publishing/build/integration.ts'

const anyPage = () => true

describe('the table of pages', () => {
  test.each([
    ['/shop', '?page=2&search=a&x=1', '?search=a&page=2'],
    ['/fr/shop', '?maxPrice=25&minPrice=10', '?price=10-25'],
    ['/shop', '?sort=newest&page=1&rating=', ''],
    ['/shop', '?search=%20a%20%20%00b%20', '?search=a+b'],
    ['/', '?page=2', ''],
    ['/shop-details/3', '?page=2', ''],
    ['/login', '?returnTo=%2Fshop', ''],
    ['/programme/basic-9/mathematics/t1', '?page=2', ''],
  ])('%s%s is rendered as %j', (path, query, search) => {
    expect(destinationOf(path + query, anyPage)).toMatchObject({
      kind: 'page',
      target: { path, search },
    })
  })

  test('normalises every query of the shop to one spelling, which is stable', () => {
    const name = fc.constantFrom('search', 'title', 'page', 'price', 'minPrice', 'sort', 'rating')
    const value = fc.oneof(fc.string({ unit: 'binary' }), fc.nat({ max: 99 }).map(String))
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value)), (pairs) => {
        const spelled = rulesOf('/shop')?.search(new URLSearchParams(pairs)) ?? ''
        expect(rulesOf('/shop')?.search(new URLSearchParams(spelled))).toBe(spelled)
      }),
    )
  })

  test.each([
    ...['/shop-details/0', '/shop-details/x', '/fr/teacher-details/01', '/shop-details/1/2'],
    ...['/programme/Basic-9', '/programme/a_b', '/en/programme/a/b/t4', '/programme/a/b/t1/t1'],
  ])('%s cannot be a page', (path) => {
    expect(rulesOf(path)).toBeUndefined()
    expect(destinationOf(path, anyPage)).toEqual({ kind: 'not found', path })
  })

  test.each([
    ['/payment/transfer/KR-1A2B-3C4D', true],
    ['/fr/payment/sandbox/0123abc?x=1', true],
    ['/api/orderss/payment/success?paymentRef=x', true],
    ['/api/orderss/payment/webhook?payment_ref=x', true],
    ['/api/orderss/konnect/initiate?orderId=1', true],
    ['/api/payments/sandbox/x', true],
    ['/api/orderss/user/1', false],
    ['/api/orders/create', false],
    ['/shop', false],
    ['/payment', false],
  ])('%s is a payment step: %s', (url, is) => {
    expect(isPaymentStep(url)).toBe(is)
  })
})

test.each([
  ['index.astro', ''],
  ['shop.astro', '/shop'],
  ['shop-details/[id].astro', '/shop-details/[id]'],
  ['teachers/index.astro', '/teachers'],
  ['my-documents.astro', '/my-documents'],
  ['_draft.astro', undefined],
  ['_parts/card.astro', undefined],
  ['sitemap.xml.ts', undefined],
  ['shop.css', undefined],
])('%s has the address %s in other languages', (file, route) => {
  expect(routeOf(file)).toBe(route)
})
