import { describe, expect, test } from 'vitest'
import { getSandboxPayment, getTransfer } from '../../../src/contract/orders.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { testApp } from '../../support/app.ts'
import { anOrder, aPayment, gatewayReference } from '../../support/payments.ts'
import { expectCode } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'

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

const app = await sharedApp()

/** Where a request leads, with the status of its redirection. */
async function redirection(...request: Parameters<typeof app.request>) {
  const { status, headers } = await app.request(...request)
  return [status, headers.get('location')]
}

/** A buyer with a pending order of 20 dinars. */
async function aBuyer() {
  const buyer = await app.aCustomer()
  return { buyer, order: await anOrder(app, buyer, await app.documentsAt(20)) }
}

describe('a browser that returns from the gateway', () => {
  test.each(GARBAGE)('with %j is redirected to a page that explains it', async (query) => {
    for (const page of ['success', 'cancel']) {
      const explained = [302, '/my-documents?payment=unknown']
      expect(await redirection('GET', `/api/orderss/payment/${page}${query}`)).toEqual(explained)
    }
  })

  test.each(['transfer', 'sandbox'])(
    'old URLs of the %s page redirect to the page',
    async (name) => {
      const { buyer, order } = await aBuyer()
      const query = { method: name === 'transfer' ? 'd17' : 'card', locale: 'fr' } as const
      const { paymentUrl } = await aPayment(app, buyer, order.id, query)
      const { pathname } = new URL(paymentUrl)
      expect(pathname).toBe(`/fr/payment/${name}/${gatewayReference(paymentUrl)}`)
      const old = (reference: string) => redirection('GET', `/api/payments/${name}/${reference}`)
      expect(await old(gatewayReference(paymentUrl))).toEqual([301, pathname])
      const nobodys = 'f'.repeat(24)
      expect(await old(nobodys)).toEqual([301, `/payment/${name}/${nobodys}`])
      for (const reference of ['%00', 'a%00b', '..%2f..', 'x', '%F0%9F%92%A9']) {
        expect(await old(reference)).toEqual([301, `/payment/${name}/unknown`])
      }
      for (const reference of ['x'.repeat(5000), '%E0%A4%A']) {
        expect((await old(reference))[0]).toBeLessThan(500)
      }
    },
  )

  test('the sandbox’s buttons lead to a page, for any input', async () => {
    const { buyer, order } = await aBuyer()
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
      const sending = { headers: { 'content-type': type }, body }
      const led = await redirection('POST', `/api/payments/sandbox/${reference}`, sending)
      expect(led).toEqual([303, expect.stringMatching(leadsTo)])
    }
  })

  test('the reference alone gives access to what the pages show', async () => {
    const { buyer, order } = await aBuyer()
    const transfer = await aPayment(app, buyer, order.id, { method: 'bank_transfer' })
    const card = await aPayment(app, buyer, order.id)
    const query = { paymentRef: transfer.paymentRef }
    const shown = { amount: 20, orderId: order.id, told: 'email' }
    expect(await app.call(getTransfer, { query })).toMatchObject(shown)
    // An account with a phone alone is told by text message, where the shop sends any.
    await app.kysely.updateTable('users').set({ email: null }).where('id', '=', buyer.id).execute()
    expect(await app.call(getTransfer, { query })).toMatchObject({ told: 'account' })
    const texting = await testApp({
      env: { SMS_URL: 'https://sms.example/?to={phone}&text={text}' },
      deps: { database: app.deps.database },
    })
    expect(await texting.call(getTransfer, { query })).toMatchObject({ told: 'sms' })
    const sandbox = { paymentRef: gatewayReference(card.paymentUrl) }
    expect(await app.call(getSandboxPayment, { query: sandbox })).toMatchObject({
      amount: 20,
      state: 'pending',
      backTo: `/api/orderss/payment/success?paymentRef=${card.paymentRef}`,
    })
    for (const [call, paymentRef] of [
      [getTransfer, card.paymentRef],
      [getSandboxPayment, card.paymentRef],
      [getTransfer, 'f'.repeat(24)],
    ] as const) {
      const asked: Promise<unknown> = app.call(call, { query: { paymentRef } })
      await expectCode(asked, 'payment_not_found')
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
  const back = `/api/orderss/payment/success?paymentRef=${reference}`
  const answer = await app.request('GET', back, from)
  expect(answer.status).toBe(302)
  expect(answer.headers.get('location')).toBe(`/my-documents?payment=${reference}`)
})
