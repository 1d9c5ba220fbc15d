import { describe, expect, test } from 'vitest'
import { getLinkFigures } from '../../../src/contract/earnings.ts'
import { countLinkVisit } from '../../../src/contract/links.ts'
import { createOrder } from '../../../src/contract/orders.ts'
import { setOwnLink } from '../../../src/contract/teacher-profile.ts'
import { createAndPay, directPay } from '../../../src/contract/wallet.ts'
import { DAY_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { RETENTION } from '../../../src/rules/retention.ts'
import { tunisianDay } from '../../../src/rules/tunisia-time.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { cleanUp } from '../../../src/server/jobs/clean-up.ts'
import { readLinks } from '../../../src/server/money/earnings/links.ts'
import { refundOrder } from '../../../src/server/money/refunds.ts'
import { confirmManual } from '../../../src/server/money/transfers.ts'
import type { Person } from '../../support/factories.ts'
import { aPayment } from '../../support/payments.ts'
import { expectCode } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
const buyer = await app.aCustomer({ balance: dinars(500) })

const key = () => crypto.randomUUID()

let made = 0

/** A teacher who has a link. */
async function linked() {
  const teacher = await app.anOfficeTeacher()
  const link = `maths-${made++}`
  await app.call(setOwnLink, { as: teacher, body: { link } })
  return { teacher, link }
}

const visit = (link: string, as?: Person) =>
  app.call(countLinkVisit, { ...(as && { as }), body: { link } })
const figuresOf = (as: Person) => app.call(getLinkFigures, { as })
const sumsOf = async (as: Person) => (await figuresOf(as)).links
const today = () => tunisianDay(new Date(app.deps.now()))
const aTitle = (teacherId: number, price: number) =>
  app.aDocument({ teacherId, price: dinars(price) })

describe('visits and sales by a teacher’s link', () => {
  test('are counted by day and link, and seen by its teacher alone', async () => {
    const { teacher, link } = await linked()
    const other = await linked()
    for (const name of [link, link, 'nobody-has-it']) await visit(name)
    await visit(link, buyer)
    await app.call(setOwnLink, { as: teacher, body: { link: `${link}-b` } })
    await visit(`${link}-b`)
    const none = { sales: 0, share: 0 }
    const days = [
      { day: today(), link, visits: 3, ...none },
      { day: today(), link: `${link}-b`, visits: 1, ...none },
    ]
    const sums = days.map(({ day: _, ...sum }) => sum)
    expect(await figuresOf(teacher)).toEqual({
      links: expect.arrayContaining(sums),
      days,
    })
    expect(await figuresOf(other.teacher)).toEqual({
      links: [{ link: other.link, visits: 0, ...none }],
      days: [],
    })
  })

  test('count what is paid of the own documents, and not what is refunded', async () => {
    const { teacher, link } = await linked()
    const [own, second] = [await aTitle(teacher.teacherId, 10), await aTitle(teacher.teacherId, 20)]
    const foreign = await app.aDocument({ price: dinars(30) })
    const documentIds = [own.id, second.id, foreign.id]
    const body = { userId: buyer.id, documentIds, link }
    await app.call(createAndPay, { as: buyer, key: key(), body })
    expect(await sumsOf(teacher)).toEqual([{ link, visits: 0, sales: 2, share: 21 }])

    const orders = await app.kysely
      .selectFrom('orderLinks')
      .selectAll()
      .where('name', '=', link)
      .execute()
    expect(orders).toHaveLength(1)
    const orderId = orders[0]?.orderId ?? 0
    await refundOrder(app.deps, { orderId, documentId: own.id })
    expect(await sumsOf(teacher)).toEqual([{ link, visits: 0, sales: 1, share: 14 }])
  })

  test('count an order once its money has come, and a purchase by card', async () => {
    const { teacher, link } = await linked()
    const [first, second] = [
      await aTitle(teacher.teacherId, 10),
      await aTitle(teacher.teacherId, 20),
    ]
    const orderDocs = [{ documentId: first.id }]
    const { id: orderId } = await app.call(createOrder, {
      as: buyer,
      key: key(),
      body: { userId: buyer.id, orderDocs, link },
    })
    expect(await sumsOf(teacher)).toEqual([{ link, visits: 0, sales: 0, share: 0 }])
    const { paymentRef } = await aPayment(app, buyer, orderId, { method: 'd17' })
    await confirmManual(app.deps, paymentRef)
    expect(await sumsOf(teacher)).toEqual([{ link, visits: 0, sales: 1, share: 7 }])
    await app.call(directPay, {
      as: buyer,
      key: key(),
      body: {
        ...{ userId: buyer.id, documentIds: [second.id], amount: 20 },
        ...{ paymentMethod: 'direct', link },
      },
    })
    const noted = await app.kysely
      .selectFrom('orderLinks')
      .selectAll()
      .where('name', '=', link)
      .execute()
    expect(noted).toHaveLength(2)
  })

  test('take no name that is none, and keep nobody from buying by one', async () => {
    const { teacher } = await linked()
    const own = await aTitle(teacher.teacherId, 10)
    const pay = (link: string) =>
      app.call(createAndPay, {
        as: buyer,
        key: key(),
        body: { userId: buyer.id, documentIds: [own.id], link },
      })
    for (const name of ['A', 'a b', 'x'.repeat(31)]) {
      await expectCode(visit(name), 'invalid_input')
    }
    await expectCode(pay('x'.repeat(31)), 'invalid_input')
    expect(await pay('No body')).toMatchObject({ status: 'SUCCESS' })
  })

  test('are bounded by address and link', async () => {
    const { teacher, link } = await linked()
    const asked = Array.from({ length: ALLOWANCES.linkVisitsOfLinkAndAddress.max + 1 }, () =>
      visit(link),
    )
    const ended = await Promise.allSettled(asked)
    expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect(await sumsOf(teacher)).toMatchObject([
      { visits: ALLOWANCES.linkVisitsOfLinkAndAddress.max },
    ])
  })

  test('are shown for thirty days, and deleted after ninety', async () => {
    const { teacher, link } = await linked()
    await visit(link)
    const own = await aTitle(teacher.teacherId, 10)
    const body = { userId: buyer.id, documentIds: [own.id], link }
    await app.call(createAndPay, { as: buyer, key: key(), body })
    app.travel(RETENTION.linkFigures + 2 * DAY_MS)
    const { teacherId } = teacher
    expect(await readLinks(app.deps, teacherId)).toMatchObject({ links: [{ visits: 0 }], days: [] })
    await cleanUp(app.deps)
    for (const table of ['linkVisits', 'orderLinks'] as const) {
      expect(
        await app.kysely.selectFrom(table).selectAll().where('name', '=', link).execute(),
      ).toEqual([])
    }
  })
})
