import { describe, expect, test } from 'vitest'
import { searchOffice, searchOwn } from '../../../src/contract/office-search.ts'
import { FOUND_AT_MOST } from '../../../src/rules/admin-search.ts'
import { dinars } from '../../../src/rules/money.ts'
import { readableReference } from '../../../src/rules/typed-numbers.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { aTransfer } from '../../support/admin/payments.ts'
import { bought } from '../../support/payments.ts'
import { expectCode } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
const admin = await app.anOfficeAdministrator()
const everything = (q: string) => app.call(searchOffice, { as: admin, query: { q } })
const NOTHING = { people: [], documents: [], orders: [], payments: [] }

describe('the search over the whole office', () => {
  test('finds people, documents, orders and references by what their lists take', async () => {
    const buyer = await app.aCustomer({
      firstName: 'زبيدة',
      lastName: 'المرساوي',
      phone: '52369741',
      balance: dinars(30),
    })
    const document = await app.aDocument({ price: dinars(4), title: 'الطاووس والعصفور' })
    await bought(app, buyer, [document])

    const byTitle = await everything('طاووس')
    expect(byTitle).toMatchObject({ documents: [{ id: document.id, title: 'الطاووس والعصفور' }] })
    expect(byTitle).toMatchObject({ people: [], orders: [], payments: [] })
    for (const q of ['زبيدة', '52 369 741', buyer.email]) {
      expect(await everything(q), q).toMatchObject({
        people: [{ id: buyer.id, contact: '52369741' }],
        orders: [{ buyer: 'زبيدة المرساوي', total: 4 }],
      })
    }
    const [order] = (await everything('زبيدة')).orders
    const byNumber = (await everything(`#${order?.id}`)).orders.map(({ id }) => id)
    expect(byNumber).toContain(order?.id)

    const reference = await aTransfer(app, buyer, 41.5)
    expect((await everything(readableReference(reference, 'KR'))).payments).toEqual([
      {
        paymentRef: reference,
        payer: { id: buyer.id, name: 'زبيدة المرساوي' },
        provider: 'manual',
        state: 'pending',
        amount: 41.5,
        orderId: null,
      },
    ])
  })

  test('answers a few of each kind, and nothing to garbage', async () => {
    for (let at = 0; at <= FOUND_AT_MOST; at++) {
      await app.aCustomer({ firstName: 'Philibert', lastName: `Num${at}` })
    }
    expect((await everything('philibert')).people).toHaveLength(FOUND_AT_MOST)
    for (const q of ['', '  ', '%', "'; DROP TABLE users; --", '🙂', '_'.repeat(5000)]) {
      expect(await everything(q), q.slice(0, 30)).toEqual(NOTHING)
    }
  })

  test('is for administrators, with a token of the office', async () => {
    const query = { q: 'a' }
    await expectCode(app.call(searchOffice, { query }), 'authentication_required')
    const customer = await app.aCustomer()
    await expectCode(app.call(searchOffice, { as: customer, query }), 'office_log_in_required')
    const teacher = await app.anOfficeTeacher()
    await expectCode(app.call(searchOffice, { as: teacher, query }), 'wrong_role')
    await expectCode(app.call(searchOwn, { as: admin, query }), 'wrong_role')
    await expectCode(app.call(searchOwn, { as: customer, query }), 'office_log_in_required')
  })

  test('finds a teacher’s own documents and their sales, and nobody else’s', async () => {
    const teacher = await app.anOfficeTeacher()
    const { teacherId } = teacher
    const own = await app.aDocument({ teacherId, price: dinars(5), title: 'Le hérisson savant' })
    const other = await app.aDocument({ price: dinars(5), title: 'Le hérisson paresseux' })
    const buyer = await app.aCustomer({ balance: dinars(20) })
    await bought(app, buyer, [own, other])
    const query = { q: 'herisson' }
    expect(await app.call(searchOwn, { as: teacher, query })).toMatchObject({
      documents: [{ id: own.id, title: 'Le hérisson savant' }],
      sales: [{ document: { id: own.id }, price: 5 }],
    })
    const empty = { documents: [], sales: [] }
    expect(await app.call(searchOwn, { as: teacher, query: { q: 'paresseux' } })).toEqual(empty)
    expect(await app.call(searchOwn, { as: teacher, query: { q: '%' } })).toEqual(empty)
  })

  test('is bounded for each account', async () => {
    const busy = await app.anOfficeAdministrator()
    const { max } = ALLOWANCES.officeSearchesOfAccount
    const search = () => app.call(searchOffice, { as: busy, query: { q: ' ' } })
    for (let made = 0; made < max; made++) await search()
    await expectCode(search(), 'too_many_requests')
  })
})
