import { describe, expect, test } from 'vitest'
import { register } from '../../../src/contract/accounts.ts'
import { saveInterfaceText } from '../../../src/contract/office-interface-texts.ts'
import * as pages from '../../../src/contract/office-site-pages.ts'
import { createOrder, initiatePayment } from '../../../src/contract/orders.ts'
import { getTerms } from '../../../src/contract/site.ts'
import * as wallet from '../../../src/contract/wallet.ts'
import { dinars } from '../../../src/rules/money.ts'
import { key } from '../../support/admin/payments.ts'
import type { Person } from '../../support/factories.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'
import { logOf } from '../../support/staff-log.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
const administrator = await app.anOfficeAdministrator()

/** Changes the page of the terms, makes it binding and returns its number. */
async function bind() {
  const name = 'terms' as const
  const before = await app.call(pages.getOfficePage, { as: administrator, params: { name } })
  const page = structuredClone(before.page)
  page.fr.text += `\n\nArticle ${before.revision + 1}.`
  const body = { revision: before.revision, page }
  const { revision } = await app.call(pages.saveSitePage, {
    as: administrator,
    params: { name },
    body,
  })
  const { current } = await app.call(pages.publishTerms, { as: administrator, body: { revision } })
  expect(current).toMatchObject({ revision, accepted: 0 })
  return current?.number ?? 0
}

type Extra = { acceptedTerms?: number; notice?: 'ar' | 'fr' | 'en' }

async function aBuyer() {
  const buyer = await app.aCustomer({ balance: dinars(100) })
  const price = 20
  const aDocument = () => app.aDocument({ price: dinars(price) })
  const fromWallet = async (
    extra: Extra = {},
    call: typeof wallet.payFromWallet = wallet.payFromWallet,
  ) => {
    const body = { userId: buyer.id, documentIds: [(await aDocument()).id], ...extra }
    return app.call(call, { as: buyer, key: key(), body })
  }
  const order = async (extra: Extra = {}) => {
    const orderDocs = [{ documentId: (await aDocument()).id }]
    return app.call(createOrder, {
      as: buyer,
      key: key(),
      body: { userId: buyer.id, orderDocs, ...extra },
    })
  }
  const directly = async (extra: Extra = {}) => {
    const documentIds = [(await aDocument()).id]
    const body = { userId: buyer.id, amount: price, paymentMethod: 'direct' as const, documentIds }
    return app.call(wallet.directPay, { as: buyer, key: key(), body: { ...body, ...extra } })
  }
  /** Makes a direct payment; returns the call that repeats it. */
  const retried = async () => {
    const documentIds = [(await aDocument()).id]
    const body = { userId: buyer.id, amount: price, paymentMethod: 'direct' as const, documentIds }
    const call = { as: buyer, key: key() }
    const current = (await app.call(getTerms, {})).current?.number
    const repeat = (extra: Extra = {}) =>
      app.call(wallet.directPay, { ...call, body: { ...body, ...extra } })
    await repeat(current === undefined ? {} : { acceptedTerms: current })
    return repeat
  }
  return { buyer, fromWallet, order, directly, retried }
}

const acceptedBy = (who: Person) =>
  app.kysely
    .selectFrom('termsAcceptances')
    .select(['version', 'acceptedAt'])
    .where('userId', '=', who.id)
    .execute()

const noticesOf = async (who: Person) => {
  const rows = await app.kysely
    .selectFrom('orders')
    .select('notice')
    .where('buyerId', '=', who.id)
    .orderBy('id')
    .execute()
  return rows.map(({ notice }) => notice)
}

describe('terms', () => {
  test('are asked for nowhere until they are made binding', async () => {
    expect(await app.call(getTerms, {})).toEqual({ current: null })
    const { buyer, fromWallet, order } = await aBuyer()
    await fromWallet()
    await order()
    expect(await noticesOf(buyer)).toEqual([null, null])
  })

  test('are accepted once with a purchase of any kind, which is refused without', async () => {
    const terms = await bind()
    for (const way of ['fromWallet', 'checkout', 'order', 'directly'] as const) {
      const { buyer, fromWallet, order, directly } = await aBuyer()
      const ways = {
        fromWallet,
        order,
        directly,
        checkout: (extra?: Extra) => fromWallet(extra, wallet.createAndPay),
      }
      const buy = ways[way]
      await expectRefused(buy(), 409, 'terms_not_accepted', { terms })
      await expectCode(buy({ acceptedTerms: terms + 1 }), 'terms_not_accepted')
      expect(await app.balanceOf(buyer)).toBe(dinars(100))
      expect(await acceptedBy(buyer)).toEqual([])
      await buy({ acceptedTerms: terms })
      await buy()
      expect(await acceptedBy(buyer)).toMatchObject([{ version: terms }])
    }
  })

  test('are asked for when an earlier order is paid, by any way', async () => {
    const ways = ['card', 'bank_transfer', 'd17'] as const
    const waiting = await Promise.all(
      ways.map(async (method) => {
        const { buyer, order } = await aBuyer()
        const accepted = await app.call(getTerms, {})
        const { id } = await order({ acceptedTerms: accepted.current?.number ?? 1 })
        const pay = (acceptedTerms?: number) =>
          app.call(initiatePayment, {
            as: buyer,
            key: key(),
            params: { provider: 'sandbox' },
            query: { orderId: id, method, ...(acceptedTerms && { acceptedTerms }) },
          })
        return { buyer, pay }
      }),
    )
    const direct = await aBuyer()
    const retried = await direct.retried()
    const terms = await bind()
    for (const { buyer, pay } of waiting) {
      await expectRefused(pay(), 409, 'terms_not_accepted', { terms })
      expect((await pay(terms)).paymentUrl).not.toBe('')
      expect((await acceptedBy(buyer)).at(-1)).toMatchObject({ version: terms })
    }
    await expectRefused(retried(), 409, 'terms_not_accepted', { terms })
    expect(await retried({ acceptedTerms: terms })).toMatchObject({ status: 'PENDING' })
  })

  test('are asked for again after each change, of those who had accepted earlier ones', async () => {
    const first = await bind()
    const { buyer, fromWallet } = await aBuyer()
    await fromWallet({ acceptedTerms: first })
    const second = await bind()
    await expectCode(fromWallet(), 'terms_not_accepted')
    await expectCode(fromWallet({ acceptedTerms: first }), 'terms_not_accepted')
    await fromWallet({ acceptedTerms: second })
    expect((await acceptedBy(buyer)).map(({ version }) => version)).toEqual([first, second])
  })

  test('are accepted with a registration', async () => {
    const terms = await bind()
    const form = (email: string, phone: string) => ({
      username: 'amal',
      firstName: 'Amal',
      lastName: 'Ben Salah',
      gender: 'female' as const,
      password: 'a long enough password',
      email,
      phone,
    })
    await app.call(register, {
      body: { ...form('one@karras.test', '20 111 222'), acceptedTerms: terms },
    })
    await app.call(register, { body: form('two@karras.test', '20 111 223') })
    const { rows } = await accepters()
    expect(rows).toEqual(['one@karras.test'])
  })

  test('are made binding once, as they were shown, and logged', async () => {
    const number = await bind()
    const { current } = await app.call(pages.getBindingTerms, { as: administrator })
    const revision = current?.revision ?? 0
    const publish = (body: { revision: number }) =>
      app.call(pages.publishTerms, { as: administrator, body })
    await expectCode(publish({ revision }), 'done_before')
    await expectCode(publish({ revision: revision - 1 }), 'done_before')
    expect(await app.call(getTerms, {})).toMatchObject({ current: { number } })
    expect((await logOf(app, 'page terms')).at(-1)).toMatchObject({ action: 'publish terms' })
  })
})

/** The accounts that accepted the terms in force, by e-mail. */
async function accepters() {
  const { current } = await app.call(getTerms, {})
  const found = await app.kysely
    .selectFrom('termsAcceptances')
    .innerJoin('users', 'users.id', 'termsAcceptances.userId')
    .select('users.email')
    .where('version', '=', current?.number ?? 0)
    .execute()
  return { rows: found.map(({ email }) => email) }
}

test('an order keeps which sentence its buyer read before paying', async () => {
  const terms = await bind()
  const { buyer, fromWallet, order } = await aBuyer()
  await fromWallet({ acceptedTerms: terms, notice: 'fr' })
  const body = {
    key: 'purchase:notice.text',
    locale: 'fr' as const,
    revision: 0,
    text: 'Fourni aussitôt.',
  }
  await app.call(saveInterfaceText, { as: administrator, body })
  await order({ notice: 'fr' })
  await order({ notice: 'ar' })
  expect(await noticesOf(buyer)).toEqual(['fr 0', 'fr 1', 'ar 0'])
})
