import { describe, expect, test } from 'vitest'
import { listBundles } from '../../../src/contract/bundles.ts'
import { addToCart, getAnonymousCart, getCart } from '../../../src/contract/carts.ts'
import { fileLink, zipLink } from '../../../src/contract/download-links.ts'
import * as office from '../../../src/contract/office-bundles.ts'
import * as shopOrders from '../../../src/contract/office-orders.ts'
import { createOrder, getOrder } from '../../../src/contract/orders.ts'
import { createAndPay, payFromWallet } from '../../../src/contract/wallet.ts'
import { BUNDLES_MAX } from '../../../src/rules/bundles.ts'
import { HOUR_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { tellOfBundles } from '../../../src/server/bundles/bundles.ts'
import { openDatabase } from '../../../src/server/database/pool.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { key } from '../../support/admin/payments.ts'
import { mailsTo } from '../../support/admin/people.ts'
import { testApp } from '../../support/app.ts'
import { download, openBought, pdf, stampedCopy } from '../../support/bought-documents.ts'
import { aPayment, bought, payInSandbox, soundApp } from '../../support/payments.ts'
import type { Person } from '../../support/people.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'
import { logOf } from '../../support/staff-log.ts'
import { ownedIds, pay, reprice } from '../../support/wallet.ts'

const app = await soundApp()
const administrator = await app.anOfficeAdministrator()

/** A teacher's paper and correction, at 6 and 4 dinars, together at 8: 4.80 and 3.20. */
async function aPair({ price = 8 } = {}) {
  const teacher = await app.anOfficeTeacher()
  const { teacherId } = teacher
  const paper = await app.aDocument({ title: 'Paper', price: dinars(6), teacherId, file: pdf })
  const correction = await app.aDocument({
    title: 'Correction',
    price: dinars(4),
    teacherId,
    file: pdf,
  })
  const documents = [paper, correction] as const
  const documentIds = documents.map(({ id }) => id)
  const { id } = await app.call(office.createBundle, { as: teacher, body: { documentIds, price } })
  return { teacher, teacherId, paper, correction, documents, documentIds, id, bundleIds: [id] }
}

const shown = (id: number) => app.call(listBundles, { params: { id } })
const aBuyer = (balance = 60) => app.aCustomer({ balance: dinars(balance) })

async function itemsOf(buyer: Awaited<ReturnType<typeof aBuyer>>) {
  const items = await app.kysely
    .selectFrom('orderItems')
    .innerJoin('orders', 'orders.id', 'orderId')
    .select(['documentId', 'price', 'teacherShare', 'bundleId', 'bundleTotal'])
    .where('buyerId', '=', buyer.id)
    .orderBy('documentId')
    .execute()
  return items
}

describe('a bundle', () => {
  test('is shown by each of its documents, with their shares in proportion to their prices', async () => {
    const { paper, correction, documentIds, id } = await aPair()
    for (const each of documentIds) {
      expect(await shown(each)).toMatchObject([
        {
          id,
          price: 8,
          documents: [
            { id: paper.id, title: 'Paper', price: 6, bundle: { id, share: 4.8, documentIds } },
            { id: correction.id, price: 4, bundle: { id, share: 3.2, documentIds } },
          ],
        },
      ])
    }
  })

  test('is shown among the three cheapest for sale, however many a teacher makes', async () => {
    const { teacherId, paper, correction, documents, id } = await aPair()
    const [withdrawn, free] = [
      await app.aDocument({ price: dinars(5), teacherId, isPublished: false }),
      await app.aDocument({ price: 0, teacherId }),
    ]
    const third = await app.aDocument({ price: dinars(5), teacherId })
    const aBundle = async (of: readonly { id: number }[], price: number) =>
      (await app.aBundle({ documents: of, price: dinars(price), teacherId })).id
    await aBundle([paper, withdrawn], 1)
    await aBundle([paper, free], 1)
    await aBundle([paper, third], 11)
    const cheap = await aBundle([paper, third], 7)
    await aBundle([...documents, third], 9)
    const cheapest = await aBundle([paper, third], 3)
    await aBundle([correction, third], 2)
    expect((await shown(paper.id)).map((each) => each.id)).toEqual([cheapest, cheap, id])
  })

  test.each([payFromWallet, createAndPay])('is paid at its price by $path', async (call) => {
    const { documents, documentIds, bundleIds, id } = await aPair()
    const buyer = await aBuyer()
    const paid = await pay(app, buyer, documents, { call, bundleIds, total: 8 })
    expect(paid.status).toBe('SUCCESS')
    expect(await app.balanceOf(buyer)).toBe(dinars(52))
    expect(await ownedIds(app, buyer)).toEqual(documentIds)
    const both = { bundleId: id, bundleTotal: dinars(8) }
    expect(await itemsOf(buyer)).toMatchObject([
      { price: dinars(4.8), teacherShare: dinars(3.36), ...both },
      { price: dinars(3.2), teacherShare: dinars(2.24), ...both },
    ])
  })

  test('is named once in the receipt’s mail, above its documents', async () => {
    const { documents, bundleIds, id } = await aPair()
    const buyer = await aBuyer()
    const [single] = await app.documentsAt(5)
    await pay(app, buyer, [...documents, single], { bundleIds, total: 13 })
    const [mail] = await mailsTo(app, buyer.email)
    const lines = (mail?.parts['text/plain'] ?? '').replace(/[\u2066-\u2069]/g, '').split('\n')
    const at = lines.findIndex((line) => line.includes(`المجموعة ${id}`))
    expect(lines[at + 1]).toContain('Paper')
    expect(lines[at + 2]).toContain('Correction')
    expect(lines.filter((line) => line.includes(`المجموعة ${id}`))).toHaveLength(1)
  })

  test('costs its owner of one the rest alone, which is free below 0.50', async () => {
    const { paper, documents, bundleIds } = await aPair()
    const buyer = await aBuyer()
    await bought(app, buyer, [paper])
    const rest = await pay(app, buyer, documents, { bundleIds, total: 3.2 })
    expect(rest.status).toBe('PARTIAL_SUCCESS')
    expect(await app.balanceOf(buyer)).toBe(dinars(50.8))

    const small = await aPair({ price: 1 })
    await bought(app, buyer, [small.paper])
    // 0.40 of 1.00 is the part of the correction.
    await pay(app, buyer, [small.correction], { key: 'k2', bundleIds: small.bundleIds, total: 0 })
    expect(await app.balanceOf(buyer)).toBe(dinars(44.8))
    expect(await ownedIds(app, buyer)).toContain(small.correction.id)
    // It is no free document: its file has a footer.
    await stampedCopy(app, buyer, small.correction.id, pdf)
  })

  test('has today’s shares: what one owns takes off what it would be of the price now', async () => {
    const { paper, correction, bundleIds } = await aPair()
    const buyer = await aBuyer()
    await bought(app, buyer, [paper])
    await reprice(app, paper, 20, 12)
    // 4 of 16 dinars.
    await pay(app, buyer, [correction], { bundleIds, total: 2 })
    expect(await app.balanceOf(buyer)).toBe(dinars(52))
  })

  test('is none without one of its documents: that is paid singly', async () => {
    const { paper, bundleIds } = await aPair()
    const buyer = await aBuyer()
    const paying = (total: number) => pay(app, buyer, [paper], { bundleIds, total })
    await expectRefused(paying(4.8), 409, 'price_changed', {
      prices: { total: 6, documents: [{ id: paper.id, price: 6, bundle: { share: 4.8 } }] },
    })
    await paying(6)
    expect(await itemsOf(buyer)).toMatchObject([{ price: dinars(6), bundleId: null }])
  })

  test('of two with the same document, the cheaper one counts', async () => {
    const { teacherId, paper, documents, id } = await aPair()
    const third = await app.aDocument({ price: dinars(5), teacherId })
    const other = await app.aBundle({ documents: [paper, third], price: dinars(9), teacherId })
    const buyer = await aBuyer()
    const bundleIds = [other.id, id]
    await pay(app, buyer, [...documents, third], { bundleIds, total: 13 })
    expect(await app.balanceOf(buyer)).toBe(dinars(47))
  })

  test('is ordered, paid at the gateway, shown on the order, and keeps its price meanwhile', async () => {
    const { teacher, documents, id } = await aPair()
    const buyer = await aBuyer()
    const [single] = await app.documentsAt(5)
    const orderDocs = [
      ...documents.map((each) => ({ documentId: each.id, bundleId: id })),
      { documentId: single.id },
    ]
    const body = { userId: buyer.id, orderDocs, total: 13 }
    const order = await app.call(createOrder, { as: buyer, key: 'k', body })
    await app.call(office.stopBundle, { as: teacher, params: { id } })
    await expectCode(app.call(createOrder, { as: buyer, key: 'k2', body }), 'price_changed')
    const { paymentUrl } = await aPayment(app, buyer, order.id, { method: 'card' })
    await payInSandbox(app, paymentUrl)
    const read = await app.call(getOrder, { as: buyer, params: { id: order.id } })
    expect(read).toMatchObject({
      status: 'paid',
      total: 13,
      items: [{ price: 4.8, bundleId: id }, { price: 3.2, bundleId: id }, { price: 5 }],
    })
  })
})

describe('the price of a bundle that the buyer saw', () => {
  test('is charged, or nothing is: the refusal says the new share of each', async () => {
    const { teacher, documents, bundleIds, id } = await aPair()
    const buyer = await aBuyer()
    const paying = (total: number) => pay(app, buyer, documents, { bundleIds, total })
    await app.call(office.setBundlePrice, { as: teacher, params: { id }, body: { price: 9 } })
    await expectRefused(paying(8), 409, 'price_changed', {
      prices: {
        total: 9,
        documents: [{ bundle: { id, share: 5.4 } }, { bundle: { id, share: 3.6 } }],
      },
    })
    expect(await app.balanceOf(buyer)).toBe(dinars(60))
    await paying(9)
    expect(await app.balanceOf(buyer)).toBe(dinars(51))
  })

  test.each([
    ['withdrawn', { state: 'unpublished' }, 4],
    ['free', { price: 0 }, 4],
    ['reduced so far that both cost no more singly', { priceDiscount: dinars(3) }, 7],
  ] as const)('is none any more once a document is %s', async (_, change, total) => {
    const { paper, correction, documents, bundleIds } = await aPair()
    const buyer = await aBuyer()
    await app.change('documents', paper.id, change)
    expect(await shown(correction.id)).toEqual([])
    const wanted = 'state' in change ? [correction] : documents
    await expectRefused(pay(app, buyer, wanted, { bundleIds, total: 8 }), 409, 'price_changed', {
      prices: { total },
    })
  })
})

describe('a bundle in a cart', () => {
  test('stays with its documents, also through a log-in, until it stops', async () => {
    const { teacher, documents, id } = await aPair()
    const buyer = await aBuyer()
    const sessionId = `anon-${crypto.randomUUID()}`
    for (const each of documents) {
      await app.call(addToCart, { query: { sessionId, documentId: each.id, bundleId: id } })
      await app.call(addToCart, { as: buyer, query: { userId: buyer.id, documentId: each.id } })
    }
    const parts = (entries: readonly { document: { bundle?: { share: number } | undefined } }[]) =>
      entries.map(({ document }) => document.bundle?.share)
    const anonymous = await app.call(getAnonymousCart, { params: { sessionId } })
    expect(parts(anonymous)).toEqual([4.8, 3.2])
    const own = () => app.call(getCart, { as: buyer, params: { userId: buyer.id } })
    expect(parts(await own())).toEqual([undefined, undefined])
    for (const each of documents) {
      const query = { userId: buyer.id, documentId: each.id, bundleId: id }
      await app.call(addToCart, { as: buyer, query })
    }
    expect(parts(await own())).toEqual([4.8, 3.2])
    // Added singly again, it stays part of the bundle.
    const [{ id: documentId }] = documents
    await app.call(addToCart, { as: buyer, query: { userId: buyer.id, documentId } })
    expect(parts(await own())).toEqual([4.8, 3.2])
    await app.call(office.stopBundle, { as: teacher, params: { id } })
    expect(parts(await own())).toEqual([undefined, undefined])
  })

  test('that does not have the document, or does not exist, is ignored', async () => {
    const { id } = await aPair()
    const [document] = await app.documentsAt(5)
    const buyer = await aBuyer()
    for (const bundleId of [id, 2 ** 31 - 1]) {
      const query = { userId: buyer.id, documentId: document.id, bundleId }
      const cart = await app.call(addToCart, { as: buyer, query })
      expect(cart?.[0]?.document.bundle).toBeUndefined()
    }
  })
})

describe('a teacher’s bundles', () => {
  test('are of own documents for sale, cheaper than singly, and none twice', async () => {
    const { teacher, teacherId, paper, documentIds } = await aPair()
    const make = (ids: number[], price: number, as = teacher) =>
      app.call(office.createBundle, { as, body: { documentIds: ids, price } })
    await expectCode(make([...documentIds].reverse(), 7), 'bundle_exists')
    const [foreign] = await app.documentsAt(5)
    await expectCode(make([paper.id, foreign.id], 5), 'document_not_found')
    await expectCode(make([paper.id, paper.id], 5), 'document_not_found')
    await expectCode(make(documentIds, 7, await app.anOfficeTeacher()), 'document_not_found')
    const third = await app.aDocument({ price: dinars(1), teacherId })
    await expectCode(make([paper.id, third.id], 7), 'bundle_not_cheaper')
    const free = await app.aDocument({ price: 0, teacherId })
    await expectCode(make([paper.id, free.id], 5), 'bundle_not_cheaper')
    await expectCode(make([paper.id], 5), 'invalid_input')
    await expectCode(make([paper.id, third.id], 0.4), 'invalid_input')
    expect(await make([paper.id, third.id], 6.99)).toMatchObject({ state: 'selling' })
  })

  test('are changed and stopped by nobody else, and a stopped one for good', async () => {
    const { teacher, teacherId, documents, documentIds, id } = await aPair()
    const other = await app.anOfficeTeacher()
    const params = { id }
    const reprices = (as = teacher, price = 7) =>
      app.call(office.setBundlePrice, { as, params, body: { price } })
    await expectCode(reprices(other), 'bundle_not_found')
    await expectCode(app.call(office.stopBundle, { as: other, params }), 'bundle_not_found')
    await expectCode(reprices(teacher, 10), 'bundle_not_cheaper')
    expect(await reprices()).toMatchObject({ id, price: 7, state: 'selling' })
    expect(app.published).toEqual(
      expect.arrayContaining(documentIds.map((each) => `document:${each}`)),
    )

    const stop = () => app.call(office.stopBundle, { as: teacher, params })
    expect(await stop()).toMatchObject({ state: 'stopped' })
    app.published.length = 0
    expect(await stop()).toMatchObject({ state: 'stopped' })
    expect(app.published).toEqual([])
    await expectCode(reprices(), 'bundle_not_found')
    expect(await shown(documents[0].id)).toEqual([])
    const again = await app.call(office.createBundle, {
      as: teacher,
      body: { documentIds, price: 5 },
    })
    const list = await app.call(office.listOwnBundles, { as: teacher, query: {} })
    expect(list.content.map((each) => [each.id, each.state])).toEqual([
      [again.id, 'selling'],
      [id, 'stopped'],
    ])
    expect(list.content[0]?.documents).toMatchObject([{ title: 'Paper', price: 6 }, { price: 4 }])
    expect((await app.call(office.listOwnBundles, { as: other, query: {} })).content).toEqual([])
    expect(await logOf(app, `teacher ${teacherId}`)).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ action: 'make bundle' })]),
    )
  })

  test('are bounded, also of calls at once', async () => {
    const { teacher, teacherId, documents, paper } = await aPair()
    const rows = Array.from({ length: BUNDLES_MAX - 2 }, () => ({ teacherId, price: dinars(5) }))
    await app.kysely.insertInto('bundles').values(rows).execute()
    const third = await app.aDocument({ price: dinars(5), teacherId })
    const making = [
      [paper.id, third.id],
      [documents[1].id, third.id],
      [...documents.map(({ id }) => id), third.id],
    ].map((documentIds) =>
      app.call(office.createBundle, { as: teacher, body: { documentIds, price: 5 } }).then(
        () => 'made',
        ({ code }) => code,
      ),
    )
    expect((await Promise.all(making)).sort()).toEqual(['bundles_full', 'bundles_full', 'made'])
  })

  test('are made, and get prices, so often in an hour', async () => {
    const bundleChangesOfTeacher = { max: 2, windowMs: HOUR_MS }
    const few = await testApp({ allowances: { ...ALLOWANCES, bundleChangesOfTeacher } })
    const as = await few.anOfficeTeacher()
    const { teacherId } = as
    const [one, two] = [await few.aDocument({ teacherId }), await few.aDocument({ teacherId })]
    const body = { documentIds: [one.id, two.id], price: 5 }
    const { id } = await few.call(office.createBundle, { as, body })
    const params = { id }
    const reprice = () => few.call(office.setBundlePrice, { as, params, body: { price: 4 } })
    await reprice()
    await expectCode(reprice(), 'too_many_requests')
    await few.call(office.stopBundle, { as, params })
    await expectCode(few.call(office.createBundle, { as, body }), 'too_many_requests')
  })

  test('send their teacher few mails in an hour, however many stop selling', async () => {
    const { teacher, teacherId, paper } = await aPair()
    for (let at = 0; at < 8; at++) {
      const other = await app.aDocument({ price: dinars(5), teacherId })
      await app.aBundle({ documents: [paper, other], price: dinars(5), teacherId })
    }
    await app.change('documents', paper.id, { state: 'unpublished' })
    await tellOfBundles(app.deps)
    expect(await mailsTo(app, teacher.email)).toHaveLength(5)
  })

  test('tell their teacher once that they stopped selling, from two processes too, and sell again', async () => {
    const { teacher, paper, correction, id } = await aPair()
    const set = (isPublished: boolean) =>
      app.change('documents', paper.id, { state: isPublished ? 'published' : 'unpublished' })
    const second = openDatabase(app.databaseUrl)
    const tell = () =>
      Promise.all([tellOfBundles(app.deps), tellOfBundles({ ...app.deps, database: second })])
    const told = async () => (await app.row('bundles', id)).toldAt && mailsTo(app, teacher.email)
    try {
      await tell()
      expect((await app.row('bundles', id)).toldAt).toBeNull()
      await set(false)
      await tell()
      await tell()
      expect(await told()).toHaveLength(1)
      const [bundle] = (await app.call(office.listOwnBundles, { as: teacher, query: {} })).content
      expect(bundle).toMatchObject({ state: 'resting', documents: [{ isPublished: false }, {}] })
      await set(true)
      await tell()
      expect(await shown(correction.id)).toHaveLength(1)
      await set(false)
      await tell()
      expect(await told()).toHaveLength(2)
    } finally {
      await second.close()
    }
  })
})

describe('a refund of a bundle', () => {
  const refund = (
    orderId: number,
    body: { seen: number; bundleId?: number; documentId?: number },
  ) =>
    app.call(shopOrders.refundShopOrder, {
      as: administrator,
      key: key(),
      params: { id: orderId },
      body: { reason: 'wrong class', ...body },
    })

  async function aSale() {
    const pair = await aPair()
    const buyer = await aBuyer()
    const [single] = await app.documentsAt(5)
    await pay(app, buyer, [...pair.documents, single], { bundleIds: pair.bundleIds, total: 13 })
    const { id: orderId } = await app.kysely
      .selectFrom('orders')
      .select('id')
      .where('buyerId', '=', buyer.id)
      .executeTakeFirstOrThrow()
    return { ...pair, buyer, orderId, single }
  }

  test('takes back all of it and nothing else, as long as nothing was opened', async () => {
    const { buyer, orderId, single, id: bundleId } = await aSale()
    expect(await refund(orderId, { seen: 8, bundleId })).toMatchObject({ refunded: 8 })
    expect(await app.balanceOf(buyer)).toBe(dinars(55))
    expect(await ownedIds(app, buyer)).toEqual([single.id])
    await expectCode(refund(orderId, { seen: 8, bundleId }), 'done_before')
  })

  test.each([
    ['read', (as: Person, id: number) => openBought(app, as, id)],
    ['downloaded', (as: Person, id: number) => download(app, as, id)],
    [
      'downloaded by a link',
      (as: Person, id: number) =>
        app.call(fileLink, { as, params: { id }, body: { locale: 'fr' } }),
    ],
    [
      'downloaded in a ZIP',
      async (as: Person) => {
        const { path } = await app.call(zipLink, { as, body: { locale: 'fr' } })
        await (await fetch(app.url + path)).arrayBuffer()
      },
    ],
  ])('is refused once a document was %s; a part goes at its share', async (_, open) => {
    const { buyer, orderId, paper, correction, id: bundleId } = await aSale()
    await open(buyer, paper.id)
    await expectCode(refund(orderId, { seen: 8, bundleId }), 'bundle_opened')
    expect(await refund(orderId, { seen: 3.2, documentId: correction.id })).toMatchObject({
      refunded: 3.2,
    })
    expect(await app.balanceOf(buyer)).toBe(dinars(50.2))
    await expectCode(refund(orderId, { seen: 8, bundleId: bundleId + 1000 }), 'bundle_not_found')
  })
})

test('two purchases of a bundle at once charge it once', async () => {
  const { documents, bundleIds, documentIds } = await aPair()
  const buyer = await aBuyer()
  await Promise.allSettled(
    ['a', 'b', 'c'].map((one) => pay(app, buyer, documents, { key: one, bundleIds, total: 8 })),
  )
  expect(await app.balanceOf(buyer)).toBe(dinars(52))
  expect(await ownedIds(app, buyer)).toEqual(documentIds)
})
