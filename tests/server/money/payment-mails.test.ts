import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { formatDate } from '../../../src/i18n/dates.ts'
import { fillText, priceText } from '../../../src/i18n/format.ts'
import { labelled } from '../../../src/i18n/listed.ts'
import { LOCALES, type Locale } from '../../../src/i18n/locales.ts'
import { dinars } from '../../../src/rules/money.ts'
import { ibanOf } from '../../../src/rules/site-facts.ts'
import { readableReference } from '../../../src/rules/typed-numbers.ts'
import { enqueueMail, type MailData, type MailKind } from '../../../src/server/mail/queue.ts'
import { refundOrder } from '../../../src/server/money/refunds.ts'
import { EXAMPLE_FACTS } from '../../../src/site.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { insert } from '../../support/database.ts'
import { bought } from '../../support/payments.ts'
import { uiText } from '../../support/texts.ts'

/** A private shop's, whose facts are the examples. */
const SITE_URL = 'https://127.0.0.1'

let app: TestApp
beforeEach(async () => {
  app = await testApp({ env: { SITE_URL } })
})

const post = <Kind extends MailKind>(kind: Kind, data: MailData[Kind]) =>
  enqueueMail(app.kysely, app.deps.jobs, kind, data)

/** The only mail that was sent. */
async function theMail() {
  const mails = await app.mails()
  expect(mails).toHaveLength(1)
  const [{ headers = '', parts = {} } = {}] = mails
  return { headers, text: parts['text/plain'] ?? '', html: parts['text/html'] ?? '' }
}

const link = (locale: Locale, path: string) =>
  `${SITE_URL}${locale === 'ar' ? '' : `/${locale}`}${path}`

async function anOrder({
  status = 'paid' as 'paid' | 'expired' | 'pending',
  prices = [12.5],
  locale = 'ar' as Locale,
} = {}) {
  const buyer = await app.aCustomer({ firstName: 'أمل', locale })
  const documents = []
  for (const price of prices.map(dinars)) {
    documents.push(await app.aDocument({ title: 'Fractions: <b>cours</b>', price }))
  }
  const { id } = await insert(app.kysely, 'orders', {
    buyerId: buyer.id,
    status,
    method: 'card',
    total: documents.reduce((sum, { price }) => sum + price, 0),
    paidAt: status === 'paid' ? new Date('2026-03-05T23:30:00Z') : null,
  })
  await app.kysely
    .insertInto('orderItems')
    .values(documents.map(({ id: documentId, price }) => ({ orderId: id, documentId, price })))
    .execute()
  return { id, buyer, documents }
}

async function aPayment(
  userId: number,
  {
    orderId = null as number | null,
    method = 'card' as 'card' | 'bank_transfer' | 'd17',
    status = 'pending' as 'pending' | 'paid' | 'refused',
    payUrl = null as string | null,
  },
): Promise<string> {
  const reference = randomBytes(12).toString('hex')
  const what = { reference, method, userId, orderId, status, payUrl, amount: dinars(12.5) }
  await insert(app.kysely, 'payments', {
    ...what,
    provider: method === 'card' ? 'sandbox' : 'manual',
    purpose: orderId === null ? 'top_up' : 'order',
    intent: 'test',
    expiresAt: new Date('2026-03-08T13:30:00Z'),
    settledAt: status === 'pending' ? null : new Date('2026-03-05T10:00:00Z'),
  })
  return reference
}

describe('the receipt', () => {
  test.each(LOCALES)('says what the order’s code took off: %s', async (locale) => {
    const { id, buyer, documents } = await anOrder({ prices: [12.5, 3], locale })
    const code = await app.aCode({ code: 'ETE-2026', percent: 20 })
    const order = app.kysely.updateTable('orders').where('id', '=', id)
    await order.set({ codeId: code.id, total: dinars(13) }).execute()
    const [first] = documents
    await app.kysely
      .updateTable('orderItems')
      .set({ price: dinars(10), priceBefore: dinars(12.5) })
      .where('orderId', '=', id)
      .where('documentId', '=', first?.id ?? 0)
      .execute()
    await aPayment(buyer.id, { orderId: id, status: 'paid' })
    await post('receipt', { orderId: id })
    const { text } = await theMail()
    const plain = text.replaceAll(/[\u2066-\u2069]/g, '')
    for (const amount of [10, 12.5, 3, -2.5, 13]) {
      expect(plain).toContain(priceText(locale, dinars(amount)).replaceAll(/[\u2066-\u2069]/g, ''))
    }
    expect(plain).toContain('ETE-2026')
  })

  test.each(LOCALES)('is written in the account’s language: %s', async (locale) => {
    const { id, buyer } = await anOrder({ prices: [12.5, 3], locale })
    await aPayment(buyer.id, { orderId: id, status: 'paid' })
    await post('receipt', { orderId: id })
    const { headers, text, html } = await theMail()
    expect(headers).toContain(`To: ${buyer.email}`)
    for (const part of [text, html]) {
      expect(part).toContain(uiText(locale, 'mail:paid.text'))
      expect(part).toContain(link(locale, `/order?id=${id}`))
      expect(part).toContain(priceText(locale, dinars(15.5)))
      expect(part).toContain(priceText(locale, dinars(3)))
      // After midnight in Tunisia.
      expect(part).toContain(formatDate(locale, '2026-03-06T12:00:00Z'))
      expect(part).not.toMatch(/\{\{|undefined|null/)
    }
    const label = `\u2068${uiText(locale, 'mail:labels.receipt')}\u2069`
    expect(text).toContain(labelled(locale, label, '\u20681\u2069'))
    expect(text.split('\n')).toContain(link(locale, `/order?id=${id}`))
    expect(html).toContain(`<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">`)
    expect(html).toContain('Fractions: &lt;b&gt;cours&lt;/b&gt;')
    expect(html).not.toContain('<b>cours')
  })

  test('lists a purchase from the wallet, too', async () => {
    const buyer = await app.aCustomer({ balance: dinars(20), locale: 'fr' })
    await post('receipt', { orderId: await bought(app, buyer, await app.documentsAt(4)) })
    expect((await theMail()).text).toContain(uiText('fr', 'mail:paid.text'))
  })

  test('says so when staff confirmed the payment', async () => {
    const { id, buyer } = await anOrder({ locale: 'en' })
    await aPayment(buyer.id, { orderId: id, method: 'd17', status: 'paid' })
    await post('receipt', { orderId: id })
    expect((await theMail()).text).toContain(uiText('en', 'mail:confirmed.text'))
  })

  test('is not sent before the order is paid', async () => {
    const { id, buyer } = await anOrder({ status: 'pending' })
    await post('receipt', { orderId: id })
    await post('order_expired', { userId: buyer.id, orderId: id })
    await post('receipt', { orderId: 999 })
    expect(await app.mails()).toEqual([])
  })
})

describe('a pending transfer', () => {
  test.each(LOCALES)('is mailed in %s with the account to send it to', async (locale) => {
    const { id, buyer } = await anOrder({ status: 'pending', locale })
    const reference = await aPayment(buyer.id, { orderId: id, method: 'bank_transfer' })
    await post('payment_waiting', { userId: buyer.id, reference })
    const { text, html } = await theMail()
    // Bare, since it is copied into the form of a bank.
    const label = `\u2068${uiText(locale, 'mail:labels.reference')}\u2069`
    expect(text.split('\n')).toContain(labelled(locale, label, readableReference(reference, 'KR')))
    for (const part of [text, html]) {
      expect(part).toContain(uiText(locale, 'mail:waiting.bank_transfer'))
      const { rib, holder } = EXAMPLE_FACTS.bank
      for (const fact of [readableReference(reference, 'KR'), rib, ibanOf(rib), holder]) {
        expect(part).toContain(fact)
      }
      expect(part).toContain(priceText(locale, dinars(12.5)))
      expect(part).toContain(`${formatDate(locale, '2026-03-08T13:30:00Z')} 14:30`)
      expect(part).toContain(link(locale, `/order?id=${id}`))
    }
  })

  test('over D17 has the number, and a link to the payment’s page', async () => {
    const buyer = await app.aCustomer({ locale: 'fr' })
    const payUrl = '/api/orderss/payment/transfer?paymentRef=abc'
    const reference = await aPayment(buyer.id, { method: 'd17', payUrl })
    await post('payment_waiting', { userId: buyer.id, reference })
    const { text } = await theMail()
    expect(text).toContain(EXAMPLE_FACTS.d17.phone)
    expect(text).not.toContain(EXAMPLE_FACTS.bank.rib)
    expect(text).toContain(`${SITE_URL}${payUrl}`)
  })
})

describe('the outcome', () => {
  test('refused', async () => {
    const { id, buyer } = await anOrder({ status: 'pending', locale: 'fr' })
    const reference = await aPayment(buyer.id, { orderId: id, status: 'refused' })
    await post('payment_refused', { userId: buyer.id, reference })
    const { text } = await theMail()
    expect(text).toContain(readableReference(reference, 'KR'))
    expect(text).toContain(EXAMPLE_FACTS.contact.email)
    expect(text).toContain(link('fr', `/order?id=${id}`))
  })

  test('credited', async () => {
    const buyer = await app.aCustomer()
    const reference = await aPayment(buyer.id, { status: 'paid' })
    await post('top_up_credited', { reference })
    await post('payment_refused', { userId: buyer.id, reference })
    await post('payment_waiting', { userId: buyer.id, reference })
    const { text, html } = await theMail()
    expect(text).toContain(uiText('ar', 'mail:credited.text'))
    expect(html).toContain(priceText('ar', dinars(12.5)))
  })

  test('refunded, with the refunded documents', async () => {
    const buyer = await app.aCustomer({ balance: dinars(20) })
    const [returned, kept] = await app.documentsAt(4, 5)
    const orderId = await bought(app, buyer, [returned, kept])
    await refundOrder(app.deps, { orderId, documentId: returned.id })
    const { text } = await theMail()
    expect(text).toContain(uiText('ar', 'mail:refunded.text'))
    expect(text).toContain(returned.title)
    expect(text).not.toContain(kept.title)
    expect(text).toContain(priceText('ar', dinars(4)))
  })

  test.each(['paid', 'cancelled', 'replaced', 'owned'] as const)(
    'credited to the wallet, since its order was %s',
    async (why) => {
      const { id, buyer, documents } = await anOrder({ prices: [12.5, 3], locale: 'fr' })
      const reference = await aPayment(buyer.id, { orderId: id, status: 'paid' })
      const documentIds = why === 'owned' ? documents.slice(1).map((document) => document.id) : []
      await post('money_in_wallet', { reference, why, documentIds })
      const { text, html } = await theMail()
      const values = { order: String(id) }
      expect(text).toContain(fillText(uiText('fr', `mail:inWallet.why.${why}`), values))
      expect(text).toContain(readableReference(reference, 'KR'))
      expect(html).toContain(priceText('fr', dinars(why === 'owned' ? 3 : 12.5)))
      expect(text).toContain(link('fr', '/charging'))
      expect(html).not.toMatch(/\{\{|undefined|null/)
    },
  )

  test('expired', async () => {
    const { id, buyer } = await anOrder({ status: 'expired', locale: 'en' })
    await aPayment(buyer.id, { orderId: id })
    await post('order_expired', { userId: buyer.id, orderId: id })
    const { text, headers } = await theMail()
    expect(text).toContain(uiText('en', 'mail:expired.text'))
    expect(headers).toContain(`Subject: Your order no. ${id} has expired`)
  })
})
