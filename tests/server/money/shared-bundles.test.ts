import { beforeEach, describe, expect, test } from 'vitest'
import { listBundles } from '../../../src/contract/bundles.ts'
import { getWaiting } from '../../../src/contract/office-desk.ts'
import * as calls from '../../../src/contract/office-shared-bundles.ts'
import { createOrder, getOrder } from '../../../src/contract/orders.ts'
import { dinars } from '../../../src/rules/money.ts'
import { tellOfBundles } from '../../../src/server/bundles/bundles.ts'
import { changeSetting } from '../../../src/server/money/settings.ts'
import { mailsTo } from '../../support/admin/people.ts'
import { aPayment, payInSandbox, soundApp } from '../../support/payments.ts'
import type { Person } from '../../support/people.ts'
import { expectCode } from '../../support/refusals.ts'
import { logOf } from '../../support/staff-log.ts'
import { ownedIds, pay, reprice } from '../../support/wallet.ts'

const app = await soundApp()
const administrator = await app.anOfficeAdministrator()

type Teacher = Awaited<ReturnType<typeof app.anOfficeTeacher>>

/** Documents of two teachers at 6 and 4 dinars, offered together at 8: 4.80 and 3.20. */
async function anOffer() {
  const [one, other] = [await app.anOfficeTeacher(), await app.anOfficeTeacher()]
  const of = ({ teacherId }: Teacher, title: string, price: number) =>
    app.aDocument({ title, price: dinars(price), teacherId })
  const documents = [await of(one, 'Algebra', 6), await of(other, 'Physics', 4)] as const
  const documentIds = documents.map(({ id }) => id)
  const body = { documentIds, price: 8 }
  const offered = await app.call(calls.offerBundle, { as: administrator, body })
  return { one, other, documents, documentIds, offered, id: offered.id, bundleIds: [offered.id] }
}

const answer = (as: Teacher, id: number, given: 'agreed' | 'refused', revision = 1) =>
  app.call(calls.answerBundle, { as, params: { id }, body: { revision, answer: given } })
const change = (id: number, documentIds: number[], price: number, revision = 1) =>
  app.call(calls.changeSharedBundle, {
    as: administrator,
    params: { id },
    body: { documentIds, price, revision },
  })
const shown = async (id: number) =>
  (await app.call(listBundles, { params: { id } })).map((each) => each.id)
const asked = (as: Teacher) => app.call(calls.listAskedBundles, { as, query: {} })
const aBuyer = () => app.aCustomer({ balance: dinars(60) })
const itemsOf = (buyer: Person) =>
  app.kysely
    .selectFrom('orderItems')
    .innerJoin('orders', 'orders.id', 'orderId')
    .select(['price', 'teacherId', 'teacherShare', 'bundleId', 'bundleTotal'])
    .where('buyerId', '=', buyer.id)
    .orderBy('documentId')
    .execute()

async function anAgreement() {
  const offer = await anOffer()
  await answer(offer.one, offer.id, 'agreed')
  expect(await answer(offer.other, offer.id, 'agreed')).toMatchObject({ state: 'selling' })
  return offer
}

describe('a bundle of several teachers', () => {
  test('tells each of them its shares, and sells once all have agreed', async () => {
    const { one, other, documents, id, offered } = await anOffer()
    expect(offered).toMatchObject({
      state: 'asking',
      teachers: [{ answer: null }, { answer: null }],
    })
    for (const [teacher, place] of [
      [one, 0],
      [other, 1],
    ] as const) {
      const { content, awaiting } = await asked(teacher)
      expect(awaiting).toBe(1)
      expect(content).toMatchObject([
        { id, price: 8, answer: null, documents: [{ share: 4.8 }, { share: 3.2 }] },
      ])
      expect(content[0]?.documents.map(({ isOwn }) => isOwn)).toEqual([place === 0, place === 1])
      // What the others answer is theirs.
      expect(content[0]).not.toHaveProperty('teachers')
      const [mail] = await mailsTo(app, teacher.email)
      expect(mail?.parts['text/plain']).toContain(place === 0 ? '4.80' : '3.20')
    }
    expect(await shown(documents[0].id)).toEqual([])
    expect(await answer(one, id, 'agreed')).toMatchObject({ state: 'asking', answer: 'agreed' })
    expect(await shown(documents[0].id)).toEqual([])
    app.published.length = 0
    expect(await answer(other, id, 'agreed')).toMatchObject({ state: 'selling' })
    for (const document of documents) {
      expect(app.published).toContain(`document:${document.id}`)
      expect(await shown(document.id)).toEqual([id])
    }
    expect((await asked(one)).awaiting).toBe(0)
    expect(await logOf(app, `teacher ${other.teacherId}`)).toMatchObject([
      { actor: `user ${administrator.id}`, action: 'offer bundle' },
      { actor: `user ${other.id}`, action: 'agree to bundle' },
    ])
  })

  test('is split by each teacher’s own percentage, from the wallet and at the gateway', async () => {
    const { one, other, documents, id, bundleIds } = await anAgreement()
    const { teacherId } = other
    await changeSetting(app.deps, { name: 'share_percent', teacherId, value: 50, actor: 'test' })
    const items = [
      { price: dinars(4.8), teacherId: one.teacherId, teacherShare: dinars(3.36) },
      { price: dinars(3.2), teacherId: other.teacherId, teacherShare: dinars(1.6) },
    ].map((item) => ({ ...item, bundleId: id, bundleTotal: dinars(8) }))
    const buyer = await aBuyer()
    await pay(app, buyer, documents, { bundleIds, total: 8 })
    expect(await itemsOf(buyer)).toEqual(items)

    const payer = await aBuyer()
    const [single] = await app.documentsAt(5)
    const orderDocs = [
      ...documents.map((each) => ({ documentId: each.id, bundleId: id })),
      { documentId: single.id },
    ]
    const body = { userId: payer.id, orderDocs, total: 13 }
    const order = await app.call(createOrder, { as: payer, key: 'k', body })
    // An order that waits keeps its prices, also when a teacher refuses meanwhile.
    await answer(one, id, 'refused')
    const { paymentUrl } = await aPayment(app, payer, order.id, { method: 'card' })
    await payInSandbox(app, paymentUrl)
    expect((await app.call(getOrder, { as: payer, params: { id: order.id } })).status).toBe('paid')
    expect((await itemsOf(payer)).slice(0, 2)).toEqual(items)
  })

  test('asks again when its price or its documents change', async () => {
    const { one, other, documents, documentIds, id } = await anAgreement()
    expect(await change(id, documentIds, 9)).toMatchObject({
      state: 'asking',
      price: 9,
      revision: 2,
    })
    const mails = (await mailsTo(app, one.email)).map(({ parts }) => parts['text/plain'])
    expect(mails.filter((text) => text?.includes('5.40'))).toHaveLength(1)
    expect(await shown(documents[0].id)).toEqual([])
    // A teacher agrees only to what the teacher has seen.
    await expectCode(answer(one, id, 'agreed'), 'bundle_changed')
    await expectCode(change(id, documentIds, 7), 'bundle_changed')
    await answer(one, id, 'agreed', 2)
    await answer(other, id, 'agreed', 2)
    expect(await shown(documents[0].id)).toEqual([id])

    const third = await app.anOfficeTeacher()
    const { id: added } = await app.aDocument({ price: dinars(10), teacherId: third.teacherId })
    await change(id, [documents[0].id, added], 9, 2)
    expect((await asked(other)).content).toEqual([])
    await expectCode(answer(other, id, 'agreed', 3), 'bundle_not_found')
    await answer(one, id, 'agreed', 3)
    await answer(third, id, 'agreed', 3)
    expect(await shown(added)).toEqual([id])
    expect(await shown(documents[1].id)).toEqual([])
  })

  test('rests while a document costs something else than its teachers agreed to', async () => {
    const { documents, documentIds, id, bundleIds } = await anAgreement()
    const buyer = await aBuyer()
    // By it, nearly all of the price would be one teacher’s.
    await reprice(app, documents[0], 100, 100)
    expect(await shown(documents[1].id)).toEqual([])
    await expectCode(pay(app, buyer, documents, { bundleIds, total: 8 }), 'price_changed')
    await reprice(app, documents[0], 6, 6)
    expect(await shown(documents[1].id)).toEqual([id])
    await reprice(app, documents[0], 7, 7)
    const { content } = await app.call(calls.listSharedBundles, { as: administrator, query: {} })
    expect(content.find((each) => each.id === id)).toMatchObject({
      state: 'resting',
      documents: [{ price: 6, priceNow: 7, share: 4.8 }, { share: 3.2 }],
    })
    // Offered again as it is, it takes the current prices.
    expect(await change(id, documentIds, 8)).toMatchObject({
      state: 'asking',
      documents: [{ price: 7, share: 5.09 }, { share: 2.91 }],
    })
  })

  test('rests once a teacher takes the agreement back, of which the others and the shop are told once', async () => {
    const { one, other, documents, id, bundleIds } = await anAgreement()
    await tellOfBundles(app.deps)
    const before = (await mailsTo(app, other.email)).length
    const own = (await mailsTo(app, one.email)).length
    expect(await answer(one, id, 'refused')).toMatchObject({ state: 'refused', answer: 'refused' })
    const buyer = await aBuyer()
    await expectCode(pay(app, buyer, documents, { bundleIds, total: 8 }), 'price_changed')
    await Promise.all([tellOfBundles(app.deps), tellOfBundles(app.deps)])
    await tellOfBundles(app.deps)
    expect(await mailsTo(app, other.email)).toHaveLength(before + 1)
    expect(await mailsTo(app, one.email)).toHaveLength(own)
    const waiting = async () => {
      const { groups } = await app.call(getWaiting, { as: administrator })
      return groups.find(({ kind }) => kind === 'bundles')?.items.map((item) => item.id) ?? []
    }
    expect(await waiting()).toContain(String(id))
    // Agreed again, it sells as before, and nobody waits.
    await answer(one, id, 'agreed')
    await tellOfBundles(app.deps)
    expect(await shown(documents[0].id)).toEqual([id])
    expect(await waiting()).not.toContain(String(id))
  })

  test('rests while a document is withdrawn, and sells again by itself', async () => {
    const { one, documents, id } = await anAgreement()
    await app.change('documents', documents[1].id, { state: 'unpublished' })
    expect(await shown(documents[0].id)).toEqual([])
    const before = (await mailsTo(app, one.email)).length
    await tellOfBundles(app.deps)
    expect(await mailsTo(app, one.email)).toHaveLength(before + 1)
    await app.change('documents', documents[1].id, { state: 'published' })
    expect(await shown(documents[0].id)).toEqual([id])
  })

  test('ends for good', async () => {
    const { one, documents, id } = await anAgreement()
    const stop = () => app.call(calls.stopSharedBundle, { as: administrator, params: { id } })
    expect(await stop()).toMatchObject({ state: 'stopped' })
    expect(await stop()).toMatchObject({ state: 'stopped' })
    expect(await shown(documents[0].id)).toEqual([])
    expect((await asked(one)).content).toEqual([])
    await expectCode(answer(one, id, 'agreed'), 'bundle_not_found')
    await expectCode(
      change(
        id,
        documents.map((each) => each.id),
        7,
      ),
      'bundle_not_found',
    )
  })
})

describe('an offer', () => {
  const offer = (documentIds: number[], price: number) =>
    app.call(calls.offerBundle, { as: administrator, body: { documentIds, price } })

  test('is of documents for sale of several teachers with accounts, cheaper than singly, and none twice', async () => {
    const { one, documents, documentIds } = await anOffer()
    await expectCode(offer([...documentIds].reverse(), 7), 'bundle_exists')
    const own = await app.aDocument({ teacherId: one.teacherId, price: dinars(5) })
    await expectCode(offer([documents[0].id, own.id], 5), 'bundle_of_one_teacher')
    const [accountless] = await app.documentsAt(5)
    await expectCode(offer([own.id, accountless.id], 5), 'teacher_cannot_agree')
    await expectCode(offer([own.id, documents[1].id], 9), 'bundle_not_cheaper')
    await expectCode(offer([own.id, 2 ** 31 - 1], 5), 'document_not_found')
    const twice = [offer([own.id, documents[1].id], 8), offer([own.id, documents[1].id], 7)]
    const ends = await Promise.all(
      twice.map((one) =>
        one.then(
          () => 'made',
          ({ code }) => code,
        ),
      ),
    )
    expect(ends.sort()).toEqual(['bundle_exists', 'made'])
  })

  test('is answered by its teachers alone', async () => {
    const { id, one } = await anOffer()
    const stranger = await app.anOfficeTeacher()
    await expectCode(answer(stranger, id, 'agreed'), 'bundle_not_found')
    await expectCode(answer(stranger, id, 'refused'), 'bundle_not_found')
    expect((await asked(stranger)).content).toEqual([])
    // Nor is a teacher’s own bundle one.
    const documents = [1, 2].map(() =>
      app.aDocument({ teacherId: one.teacherId, price: dinars(5) }),
    )
    const own = await app.aBundle({
      documents: await Promise.all(documents),
      price: dinars(5),
      teacherId: one.teacherId,
    })
    await expectCode(answer(one, own.id, 'refused'), 'bundle_not_found')
  })
})

describe('races', () => {
  let offer: Awaited<ReturnType<typeof anAgreement>>
  beforeEach(async () => {
    offer = await anAgreement()
  })

  test('a teacher refuses while buyers pay: each pays the whole bundle at its price, or nothing', async () => {
    const { one, documents, documentIds, bundleIds, id } = offer
    const buyers = await Promise.all(Array.from({ length: 6 }, aBuyer))
    const paying = buyers.map((buyer) =>
      pay(app, buyer, documents, { bundleIds, total: 8 }).then(
        () => 'paid',
        ({ code }) => code,
      ),
    )
    const [ends] = await Promise.all([Promise.all(paying), answer(one, id, 'refused')])
    for (const [at, buyer] of buyers.entries()) {
      const isPaid = ends[at] === 'paid'
      expect(['paid', 'price_changed']).toContain(ends[at])
      expect(await app.balanceOf(buyer)).toBe(dinars(isPaid ? 52 : 60))
      expect(await ownedIds(app, buyer)).toEqual(isPaid ? documentIds : [])
    }
    const late = await aBuyer()
    await expectCode(pay(app, late, documents, { bundleIds, total: 8 }), 'price_changed')
  })

  test('the last agreement and a change of the price: it never sells at a price that somebody did not see', async () => {
    const { one, other, documents, documentIds, id } = offer
    await answer(one, id, 'refused')
    await Promise.allSettled([answer(one, id, 'agreed'), change(id, documentIds, 5)])
    const { content } = await asked(one)
    expect(content).toMatchObject([{ state: 'asking', revision: 2, answer: null }])
    expect((await asked(other)).content).toMatchObject([{ answer: null }])
    expect(await shown(documents[0].id)).toEqual([])
  })

  test('two teachers answer at once: the bundle sells if both agreed', async () => {
    const { one, other, documents, id } = offer
    await Promise.all([answer(one, id, 'refused'), answer(other, id, 'refused')])
    await Promise.all([answer(one, id, 'agreed'), answer(other, id, 'agreed')])
    expect(await shown(documents[0].id)).toEqual([id])
    await Promise.all([answer(one, id, 'refused'), answer(other, id, 'agreed')])
    expect(await shown(documents[0].id)).toEqual([])
  })
})
