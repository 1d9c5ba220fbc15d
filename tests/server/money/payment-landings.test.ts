import { beforeAll, describe, expect, test } from 'vitest'
import { getSandboxPayment, getTransfer } from '../../../src/contract/orders.ts'
import { dinars } from '../../../src/rules/money.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { anOrder, aPayment, gatewayReference } from '../../support/payments.ts'
import { expectCode } from '../../support/refusals.ts'

const GARBAGE = [
  '',
  '?paymentRef=',
  '?paymentRef=%00',
  '?paymentRef=a%00b',
  '?paymentRef=%E0%A4%A',
  '?paymentRef=../../etc/passwd',
  `?paymentRef=${'a'.repeat(10_000)}`,
  `?paymentRef=${'a'.repeat(24)}&paymentRef=${'b'.repeat(24)}`,
  `?payment_ref=${'a'.repeat(24)}&payment_ref=%00`,
  '?paymentRef[]=a&paymentRef[toString]=b',
  `?paymentRef=${'f'.repeat(24)}`,
  '?__proto__=1&constructor=2',
]

describe('a browser that returns from the gateway', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await testApp()
    return app.stop
  })

  test.each(GARBAGE)('with %j is redirected to a page that explains it', async (query) => {
    for (const page of ['success', 'cancel']) {
      const answer = await app.request('GET', `/api/orderss/payment/${page}${query}`)
      expect(answer.status).toBe(302)
      expect(answer.headers.get('location')).toBe('/my-documents?payment=unknown')
    }
  })

  test.each(['transfer', 'sandbox'])(
    'old URLs of the %s page redirect to the page',
    async (name) => {
      const buyer = await app.aCustomer()
      const order = await anOrder(app, buyer, [await app.aDocument({ price: dinars(20) })])
      const query = { method: name === 'transfer' ? 'd17' : 'card', locale: 'fr' } as const
      const { paymentUrl } = await aPayment(app, buyer, order.id, query)
      const { pathname } = new URL(paymentUrl)
      expect(pathname).toBe(`/fr/payment/${name}/${gatewayReference(paymentUrl)}`)
      const old = await app.request('GET', `/api/payments/${name}/${gatewayReference(paymentUrl)}`)
      expect([old.status, old.headers.get('location')]).toEqual([301, pathname])
      for (const reference of ['%00', 'a%00b', '..%2f..', 'x', '%F0%9F%92%A9', 'f'.repeat(24)]) {
        const answer = await app.request('GET', `/api/payments/${name}/${reference}`)
        expect(answer.status).toBe(301)
        expect(answer.headers.get('location')).toMatch(
          new RegExp(`^/payment/${name}/(?:unknown|f{24})$`),
        )
      }
      for (const reference of ['x'.repeat(5000), '%E0%A4%A']) {
        const answer = await app.request('GET', `/api/payments/${name}/${reference}`)
        expect(answer.status).toBeLessThan(500)
      }
    },
  )

  test('the sandbox’s buttons lead to a page, for any input', async () => {
    const buyer = await app.aCustomer()
    const order = await anOrder(app, buyer, [await app.aDocument({ price: dinars(20) })])
    const { paymentUrl } = await aPayment(app, buyer, order.id, { locale: 'fr' })
    const form = 'application/x-www-form-urlencoded'
    const sent = [
      [gatewayReference(paymentUrl), form, 'choice=nothing', /^\/fr\/payment\/sandbox\//],
      [gatewayReference(paymentUrl), form, `choice=${'x'.repeat(5000)}`, /\/payment\/sandbox\//],
      [gatewayReference(paymentUrl), 'application/json', '{"choice', /\/payment\/sandbox\//],
      [gatewayReference(paymentUrl), 'text/plain', 'pay', /\/payment\/sandbox\//],
      ['%00', form, 'choice=pay', /^\/payment\/sandbox\/unknown$/],
      ['f'.repeat(24), form, 'choice=pay', /^\/payment\/sandbox\/f{24}$/],
    ] as const
    for (const [reference, type, body, leadsTo] of sent) {
      const headers = { 'content-type': type }
      const answer = await app.request('POST', `/api/payments/sandbox/${reference}`, {
        headers,
        body,
      })
      expect(answer.status, `${type} ${body.slice(0, 20)}`).toBe(303)
      expect(answer.headers.get('location')).toMatch(leadsTo)
    }
  })

  test('the reference alone gives access to what the pages show', async () => {
    const buyer = await app.aCustomer()
    const order = await anOrder(app, buyer, [await app.aDocument({ price: dinars(20) })])
    const transfer = await aPayment(app, buyer, order.id, { method: 'bank_transfer' })
    const card = await aPayment(app, buyer, order.id)
    const query = { paymentRef: transfer.paymentRef }
    expect(await app.call(getTransfer, { query })).toMatchObject({ amount: 20, orderId: order.id })
    const sandbox = { paymentRef: gatewayReference(card.paymentUrl) }
    expect(await app.call(getSandboxPayment, { query: sandbox })).toMatchObject({
      amount: 20,
      state: 'pending',
      backTo: `/api/orderss/payment/success?paymentRef=${card.paymentRef}`,
    })
    for (const ask of [
      () => app.call(getTransfer, { query: { paymentRef: card.paymentRef } }),
      () => app.call(getSandboxPayment, { query: { paymentRef: card.paymentRef } }),
      () => app.call(getTransfer, { query: { paymentRef: 'f'.repeat(24) } }),
    ]) {
      await expectCode(ask(), 'payment_not_found')
    }
  })
})

test('a browser that returns to a shop which sheds calls is redirected to its page all the same', async () => {
  const allowances = { ...ALLOWANCES, calls: { max: 1, windowMs: 60_000 } }
  const app = await testApp({ allowances })
  const from = { headers: { 'x-forwarded-for': '203.0.113.7' } }
  const reference = 'a'.repeat(24)
  await app.request('GET', '/api/category', from)
  expect((await app.request('GET', '/api/category', from)).status).toBe(429)
  const answer = await app.request(
    'GET',
    `/api/orderss/payment/success?paymentRef=${reference}`,
    from,
  )
  expect([answer.status, answer.headers.get('location')]).toEqual([
    302,
    `/my-documents?payment=${reference}`,
  ])
})
