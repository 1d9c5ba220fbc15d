// @one-database: it is about a gateway.

import { describe, expect, onTestFinished, test } from 'vitest'
import { HOUR_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { GatewayError, type PaymentRequest } from '../../../src/server/gateways/gateway.ts'
import { konnectGateway } from '../../../src/server/gateways/konnect.ts'
import { API_KEY, type KonnectOptions, startKonnect, WALLET_ID } from '../../support/konnect.ts'
import { BROKEN_ANSWERS, FORMS } from '../../support/konnect-faults.ts'

const REFERENCE = '0123456789abcdef01234567'

const REQUEST: PaymentRequest = {
  reference: REFERENCE,
  amount: dinars(12.5),
  description: 'كرّاس',
  payer: { firstName: 'Amal', lastName: 'Ben Salah', email: 'amal@karras.test', phone: '20123456' },
  locale: 'ar',
  successUrl: 'https://shop.test/api/orderss/payment/success',
  failUrl: 'https://shop.test/api/orderss/payment/cancel',
  webhookUrl: 'https://shop.test/api/orderss/payment/webhook',
  lifetime: 72 * HOUR_MS,
}

/**
 * The adapter in front of a stand-in. Long time-outs are for responses that arrive, short ones for
 * those that do not.
 */
async function aGateway({ timeout = 10_000, ...wish }: KonnectOptions & { timeout?: number } = {}) {
  const konnect = await startKonnect(wish)
  onTestFinished(konnect.stop)
  return { konnect, gateway: konnectGateway(konnect.config, { timeout }) }
}

async function errorOf(attempt: Promise<unknown>): Promise<GatewayError> {
  const error = await attempt.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(GatewayError)
  return error as GatewayError
}

function expectNoSecrets(error: GatewayError): void {
  const words = `${error.message} ${error.stack} ${JSON.stringify(error)} ${error.cause}`
  for (const secret of [API_KEY, 'only-the-tests-know', 'Amal', 'amal@', '20123456', WALLET_ID]) {
    expect(words).not.toContain(secret)
  }
}

describe('open', () => {
  test('requests exactly the amount to be paid, once, with our reference', async () => {
    const { konnect, gateway } = await aGateway()
    const opened = await gateway.open(REQUEST)
    expect(konnect.books.size).toBe(1)
    expect(konnect.payment(REFERENCE)).toMatchObject({
      id: opened.gatewayReference,
      orderId: REFERENCE,
      amount: 12_500,
    })
    expect(opened.payUrl).toContain(`payment_ref=${opened.gatewayReference}`)
    expect(konnect.payment(REFERENCE).request).toMatchObject({
      receiverWalletId: WALLET_ID,
      token: 'TND',
      type: 'immediate',
      lifespan: 72 * 60,
      firstName: 'Amal',
      lastName: 'Ben Salah',
      email: 'amal@karras.test',
      phoneNumber: '20123456',
      webhook: REQUEST.webhookUrl,
      successUrl: REQUEST.successUrl,
      failUrl: REQUEST.failUrl,
      silentWebhook: true,
      acceptedPaymentMethods: ['bank_card', 'flouci'],
    })
  })

  test('leaves out a missing phone, and never requests less than a minute', async () => {
    const { konnect, gateway } = await aGateway()
    await gateway.open({ ...REQUEST, lifetime: 10, payer: { ...REQUEST.payer, phone: null } })
    const { request } = konnect.payment(REFERENCE)
    expect(request.lifespan).toBe(1)
    expect(request).not.toHaveProperty('phoneNumber')
  })

  test.each(BROKEN_ANSWERS)('is unknown, and not retried, after %s', async (fault) => {
    const timeout = fault === 'hang' || fault === 'stall' ? 300 : 10_000
    const { konnect, gateway } = await aGateway({ [fault]: 1, timeout })
    expectNoSecrets(await errorOf(gateway.open(REQUEST)))
    // The gateway has it, and only once: there is no idempotency key.
    expect(konnect.books.size).toBe(1)
    expect(konnect.requests).toHaveLength(1)
  })

  test('a wrong key is an error that does not reveal the key', async () => {
    const { konnect } = await aGateway()
    const gateway = konnectGateway({ ...konnect.config, apiKey: `${API_KEY}x` })
    for (const attempt of [() => gateway.open(REQUEST), () => gateway.read(REFERENCE)]) {
      const error = await errorOf(attempt())
      expect(error.message).toContain('401')
      expectNoSecrets(error)
    }
    expect(konnect.books.size).toBe(0)
  })

  test('a refused amount and an unreachable gateway are errors', async () => {
    const { konnect, gateway } = await aGateway()
    expectNoSecrets(await errorOf(gateway.open({ ...REQUEST, amount: 10 })))
    await konnect.stop()
    expectNoSecrets(await errorOf(gateway.open(REQUEST)))
    expectNoSecrets(await errorOf(gateway.read(REFERENCE)))
  })

  test.each([
    'javascript:alert(1)',
    'http://pay.example/',
    '//pay.example/',
    'https://konnect.network@pay.example/',
    'http://127.0.0.1.pay.example/',
    'data:text/html,x',
    '/pay',
    '',
  ])('a pay page at %j is refused', async (payUrl) => {
    const { gateway } = await aGateway({ payUrl })
    await errorOf(gateway.open(REQUEST))
  })

  test('an https pay page is returned', async () => {
    const payUrl = 'https://gateway.konnect.network/pay?payment_ref=x'
    const { gateway } = await aGateway({ payUrl })
    expect(await gateway.open(REQUEST)).toMatchObject({ payUrl })
  })

  test('an address that redirects does not get the key', async () => {
    const { konnect: other } = await aGateway()
    const { gateway } = await aGateway({
      redirect: `${other.config.baseUrl}/payments/init-payment`,
    })
    await errorOf(gateway.open(REQUEST))
    expect(other.requests).toEqual([])
  })
})

describe('read', () => {
  async function aPayment(wish: Parameters<typeof aGateway>[0] = {}) {
    const { konnect, gateway } = await aGateway(wish)
    const { gatewayReference } = await konnectGateway(konnect.config).open(REQUEST)
    const payment = () => gateway.read(gatewayReference)
    return { konnect, gateway, gatewayReference, payment }
  }

  test('reports a payment before and after it is paid', async () => {
    const { konnect, gatewayReference, payment } = await aPayment()
    const common = { gatewayReference, reference: REFERENCE }
    expect(await payment()).toEqual({ ...common, state: 'pending', amount: 0 })
    konnect.pay(REFERENCE)
    expect(await payment()).toEqual({ ...common, state: 'paid', amount: 12_500 })
  })

  test('reports the amount that was really paid', async () => {
    const { konnect, payment } = await aPayment()
    konnect.pay(REFERENCE, 12_490)
    expect(await payment()).toMatchObject({ state: 'pending', amount: 12_490 })
    konnect.pay(REFERENCE, 12_510)
    expect(await payment()).toMatchObject({ state: 'paid', amount: 12_510 })
  })

  test('an unknown payment is null, and only valid references become part of a path', async () => {
    const { konnect, gateway } = await aPayment()
    expect(await gateway.read('f'.repeat(24))).toBeNull()
    const requestsBefore = konnect.requests.length
    for (const forged of ['../wallets', '..', 'a/b', 'abcdefgh?x=1', '%2e%2e%2fwallets', '']) {
      expect(await gateway.read(forged)).toBeNull()
    }
    expect(konnect.requests).toHaveLength(requestsBefore)
  })

  test('a payment into another wallet, or in another currency, is not paid', async () => {
    const { konnect, payment } = await aPayment()
    konnect.pay(REFERENCE)
    for (const [fault, state] of [
      ['wrongWallet', 'unclear'],
      ['wrongCurrency', 'unclear'],
      ['unpaid', 'pending'],
    ] as const) {
      konnect.behave({ [fault]: 1 })
      expect(await payment()).toMatchObject({ state })
    }
    konnect.behave({ expired: 1 })
    expect(await payment()).toMatchObject({ state: 'expired' })
  })

  test('a wrong amount and a wrong order are reported unchanged', async () => {
    const { konnect, payment } = await aPayment()
    konnect.pay(REFERENCE)
    konnect.behave({ wrongAmount: 1 })
    expect(await payment()).toMatchObject({ amount: 12_510 })
    konnect.behave({ wrongOrder: 1 })
    expect((await payment())?.reference).not.toBe(REFERENCE)
  })

  test.each(FORMS)('reads an answer in the form %s', async (form) => {
    const { konnect, gatewayReference, payment } = await aPayment({ [form]: 1 })
    konnect.pay(REFERENCE)
    const paid = { gatewayReference, reference: REFERENCE, state: 'paid', amount: 12_500 }
    expect(await payment()).toEqual(paid)
  })

  test.each([
    [{ id: undefined }, 'id'],
    [{ id: 7 }, 'id'],
    [{ id: 'f'.repeat(24) }, 'id'],
    [{ status: undefined }, 'status'],
    [{ status: 'refunded' }, 'status "refunded"'],
    [{ status: `<b>${'x'.repeat(99)}` }, 'status'],
    [{ reachedAmount: undefined }, 'reachedAmount'],
    [{ reachedAmount: '12500' }, 'reachedAmount'],
    [{ reachedAmount: -1 }, 'reachedAmount'],
    [{ token: undefined }, 'token'],
    [{ token: 'EUR' }, 'token'],
    [{ orderId: undefined }, 'orderId'],
    [{ orderId: null }, 'orderId'],
    [{ receiverWallet: undefined }, 'receiverWallet'],
    [{ receiverWallet: null }, 'receiverWallet'],
    [{ receiverWallet: { wallet: WALLET_ID } }, 'receiverWallet'],
    [{ receiverWallet: { id: 'f'.repeat(24) } }, 'receiverWallet'],
    [{ status: 'refunded', receiverWallet: [] }, 'status "refunded", receiverWallet'],
  ])('does not understand a paid payment with %j', async (fields, unclear) => {
    const { konnect, gatewayReference, payment } = await aPayment()
    konnect.pay(REFERENCE)
    konnect.report(fields)
    expect(await payment()).toMatchObject({ gatewayReference, state: 'unclear', unclear })
  })

  test('does not understand an answer without a payment', async () => {
    const { konnect, payment } = await aPayment()
    konnect.pay(REFERENCE)
    const needed = ['id', 'status', 'reachedAmount', 'token', 'orderId', 'receiverWallet']
    konnect.report(Object.fromEntries(needed.map((field) => [field, undefined])))
    expect(await payment()).toMatchObject({ state: 'unclear', amount: 0, reference: '' })
  })

  test.each(BROKEN_ANSWERS)('is unknown after %s', async (fault) => {
    const timeout = fault === 'hang' || fault === 'stall' ? 300 : 10_000
    const { konnect, payment } = await aPayment({ timeout })
    konnect.pay(REFERENCE)
    konnect.behave({ [fault]: 1 })
    expectNoSecrets(await errorOf(payment()))
  })

  test('retries once after an error of the gateway, and no more', async () => {
    const { konnect, payment } = await aPayment()
    konnect.pay(REFERENCE)
    konnect.requests.length = 0
    konnect.behaveOnce('error')
    expect(await payment()).toMatchObject({ state: 'paid' })
    konnect.behaveOnce('cut')
    expect(await payment()).toMatchObject({ state: 'paid' })
    expect(konnect.requests).toHaveLength(4)
    konnect.behave({ error: 1 })
    await errorOf(payment())
    expect(konnect.requests).toHaveLength(6)
  })
})
