import { beforeEach, describe, expect, test } from 'vitest'
import { readDocumentPrice } from '../../src/rules/payment-methods.ts'
import { aToken, emptyBrowser, storage } from './browser.ts'
import { openCharging } from './charging-page.ts'
import type { FakeShop, Fault } from './fake-shop.ts'

beforeEach(emptyBrowser)

const WAY = {
  returnTo: '/shop',
  locale: 'ar',
  origins: ['http://shop.example'],
  provider: 'sandbox',
  proposed: 'gateway',
  description: 'Wallet',
} as const

const keysOf = (shop: FakeShop) => shop.keysOf('POST /wallet/recharge')

const failing = (fault: Fault) => (request: { path: string }) =>
  request.path.includes('recharge') ? fault : undefined

describe('the amount', () => {
  test.each([
    [null, 60_000, { kind: 'preset', amount: 10_000 }],
    [65_000, 60_000, { kind: 'preset', amount: 10_000 }],
    [70_010, 60_000, { kind: 'preset', amount: 20_000 }],
    [260_000, 60_000, { kind: 'preset', amount: 200_000 }],
    [260_010, 60_000, { kind: 'custom', text: '200.01' }],
    [9_000_000, 0, { kind: 'custom', text: '2000' }],
  ])('for a price of %s with %s in the wallet', async (price, balance, choice) => {
    const { proposeAmount, $amountChoice } = await openCharging()
    proposeAmount(price, balance)
    expect($amountChoice.get()).toEqual(choice)
  })

  test('a chosen amount is not overwritten', async () => {
    const { proposeAmount, choosePreset, $topUpAmount } = await openCharging()
    choosePreset(50_000)
    proposeAmount(300_000, 0)
    expect($topUpAmount.get()).toBe(50_000)
  })

  test.each([
    ['25', 25_000],
    ['12,5', 12_500],
    ['٢٥', 25_000],
    ['١٢٫٥٠', 12_500],
    ['2000', 2_000_000],
  ])('typed as %s', async (text, amount) => {
    const { typeAmount, leaveAmount, $topUpAmount, $amountRemark } = await openCharging()
    typeAmount(text)
    expect(leaveAmount()).toBe(true)
    expect([$topUpAmount.get(), $amountRemark.get()]).toEqual([amount, null])
  })

  test.each(['9.99', '0', '٥'])(
    'below the minimum (%s) is raised when the field is left',
    async (text) => {
      const { typeAmount, leaveAmount, $amountChoice, $amountRemark, $topUpAmount } =
        await openCharging()
      typeAmount(text)
      expect([$topUpAmount.get(), $amountRemark.get()]).toEqual([null, null])
      leaveAmount()
      expect($amountChoice.get()).toEqual({ kind: 'custom', text: '10' })
      expect([$topUpAmount.get(), $amountRemark.get()]).toEqual([10_000, 'raised'])
    },
  )

  test.each([
    ['2000.01', 'above_maximum'],
    ['999999999', 'above_maximum'],
    ['many', 'not_an_amount'],
    ['-20', 'not_an_amount'],
    ['1.2345', 'not_an_amount'],
    ['12,505', 'third_decimal'],
  ])('that is invalid (%s) is refused and stays in the field', async (text, remark) => {
    const { typeAmount, charge, $amountChoice, $amountRemark, $topUp, shop } = await openCharging()
    typeAmount(text)
    await charge(WAY)
    expect($amountChoice.get()).toEqual({ kind: 'custom', text })
    expect($amountRemark.get()).toBe(remark)
    expect($topUp.get()).toEqual({ phase: 'idle' })
    expect(shop.started).toEqual([])
  })

  test('that was raised is charged only after a second submission', async () => {
    const { typeAmount, charge, shop } = await openCharging()
    typeAmount('3')
    await charge(WAY)
    expect(shop.started).toEqual([])
    await charge(WAY)
    expect(shop.started).toMatchObject([{ amount: 10 }])
  })

  test.each([
    ['12.5', 12_500],
    ['١٢', 12_000],
    ['', null],
    ['x', null],
    ['-1', null],
    ['99999999', null],
    [null, null],
  ])('the price in the URL: %s', (text, price) => {
    expect(readDocumentPrice(text)).toBe(price)
  })
})

test('a balance that cannot be loaded counts as 0, until it is loaded', async () => {
  const { shop, page, $shownBalance } = await openCharging()
  expect($shownBalance.get()).toBe(60_000)
  shop.fault = () => 'server_error'
  await page.wallet.loadBalance()
  expect($shownBalance.get()).toBe(0)
  shop.fault = () => undefined
  await page.wallet.loadBalance()
  expect($shownBalance.get()).toBe(60_000)
})

describe('charging', () => {
  test('starts the top-up once and navigates to the gateway', async () => {
    const { shop, choosePreset, charge, $topUp } = await openCharging()
    choosePreset(20_000)
    await Promise.all([charge(WAY), charge(WAY)])
    const paymentUrl = 'https://gateway.example/pay'
    expect($topUp.get()).toEqual({ phase: 'leaving', paymentUrl })
    const sent = { userId: 7, amount: 20, currency: 'TND', paymentMethod: 'sandbox' }
    const { description, returnTo, locale } = WAY
    expect(shop.started).toEqual([{ ...sent, description, returnTo, locale }])
    expect(storage.intents).toBeUndefined()
  })

  test('sends D17 by name, and lets the shop choose the gateway', async () => {
    const { shop, chooseTopUpMethod, charge } = await openCharging()
    chooseTopUpMethod('d17')
    await charge(WAY)
    expect(shop.started).toMatchObject([{ paymentMethod: 'D17' }])
  })

  test.each(['javascript:alert(1)', 'http://elsewhere.example/', 'data:text/html,x'])(
    'never navigates to %s',
    async (address) => {
      const { shop, charge, $topUp } = await openCharging()
      shop.paymentUrl = address
      await charge(WAY)
      expect($topUp.get()).toMatchObject({ phase: 'failed', problem: { code: 'bad_answer' } })
    },
  )

  test('never charges a logged-out user', async () => {
    const { shop, page, charge, $topUp } = await openCharging()
    await page.session.logOut()
    await charge(WAY)
    expect($topUp.get()).toMatchObject({
      phase: 'failed',
      problem: { code: 'authentication_required' },
    })
    expect(shop.started).toEqual([])
  })

  test('a refusal by the shop is final: the next one is a new top-up', async () => {
    const { shop, charge, $topUp } = await openCharging()
    shop.fault = failing('forbidden')
    await charge(WAY)
    expect($topUp.get()).toMatchObject({ phase: 'failed', isOpen: false })
    shop.fault = () => undefined
    await charge(WAY)
    expect(new Set(keysOf(shop)).size).toBe(2)
  })

  test.each(['lost', 'network', 'gateway_unavailable', 'too_many_requests'] as const)(
    'after %s the same top-up is repeated across retries and reloads',
    async (fault) => {
      const { shop, charge, $topUp } = await openCharging()
      shop.fault = failing(fault)
      await charge(WAY)
      expect($topUp.get()).toMatchObject({ phase: 'failed', isOpen: true })
      const reloaded = await openCharging(shop)
      shop.fault = () => undefined
      await reloaded.charge({ ...WAY, returnTo: '/checkout' })
      expect(reloaded.$topUp.get()).toMatchObject({ phase: 'leaving' })
      expect(new Set(keysOf(shop)).size).toBe(1)
      expect(shop.started).toHaveLength(1)
      const { body } = shop.requestsTo('POST /wallet/recharge').at(-1) ?? {}
      expect(JSON.parse(body ?? '{}')).toMatchObject({ returnTo: '/checkout' })
    },
  )

  test('another amount, method or customer is another top-up', async () => {
    const { shop, charge, choosePreset, chooseTopUpMethod } = await openCharging()
    shop.fault = failing('network')
    await charge(WAY)
    choosePreset(50_000)
    await charge(WAY)
    chooseTopUpMethod('d17')
    await charge(WAY)
    storage.token = aToken({ userId: 8 })
    await (await openCharging(shop)).charge(WAY)
    expect(new Set(keysOf(shop)).size).toBe(4)
  })

  test('the page can charge again after returning from the gateway', async () => {
    const { shop, charge, resumeTopUp } = await openCharging()
    await charge(WAY)
    resumeTopUp()
    await charge(WAY)
    expect(shop.started).toHaveLength(2)
  })
})
