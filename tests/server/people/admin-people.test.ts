import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import * as log from '../../../src/contract/office-log.ts'
import * as office from '../../../src/contract/office-people.ts'
import { dinars } from '../../../src/rules/money.ts'
import { FOLDED_AT_ONCE } from '../../../src/server/people-search/people-search.ts'
import { emailsOf, find, view } from '../../support/admin/people.ts'
import { testApp } from '../../support/app.ts'
import { bought } from '../../support/payments.ts'
import { expectCode } from '../../support/refusals.ts'
import { logOf } from '../../support/staff-log.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
const admin = await app.anOfficeAdministrator({ firstName: 'Nadia', lastName: 'Gharbi' })
describe('the people of the shop', () => {
  test('are found by name in either script, e-mail, phone and id, page by page', async () => {
    const amal = await app.aCustomer({
      firstName: 'آمال',
      lastName: 'القاسمي',
      email: 'amal.kasmi@mail.example',
      phone: '98765432',
    })
    const chedly = await app.aCustomer({ firstName: 'Chédly', lastName: 'Hélali' })
    const typed = ['امال', 'قاسمي آم', 'AMAL.kasmi@mail', '98 765', '+216 98765432', `#${amal.id}`]
    for (const q of typed) {
      expect(await emailsOf(app, admin, { q }), q).toEqual([amal.email])
    }
    expect(await emailsOf(app, admin, { q: 'helali chedly' })).toEqual([chedly.email])
    expect(await emailsOf(app, admin, { q: '%' })).toEqual([])
    // A changed name is found by its new spelling.
    await app.change('users', chedly.id, { lastName: 'Zribi' })
    expect(await emailsOf(app, admin, { q: 'helali' })).toEqual([])
    expect(await emailsOf(app, admin, { q: 'zribi' })).toEqual([chedly.email])

    const unconfirmed = await app.aCustomer({ isConfirmed: false })
    expect(await emailsOf(app, admin, { state: 'unconfirmed' })).toEqual([unconfirmed.email])
    expect(await emailsOf(app, admin, { role: 'ADMIN' })).toContain(admin.email)
    const { content } = await find(app, admin, { sort: 'name', size: 100 })
    const names = content.map(({ name }) => name)
    expect(names).toEqual([...names].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)))
    const second = await find(app, admin, { size: 1, page: 1, sort: 'since' })
    expect(second).toMatchObject({ number: 1, size: 1, totalPages: second.totalElements })
  })

  test('show a customer’s purchases and balance; a view is logged once an hour', async () => {
    const customer = await app.aCustomer({ balance: dinars(20) })
    const document = await app.aDocument({ price: dinars(4), title: 'الكسور' })
    await bought(app, customer, [document])
    const seen = await view(app, admin, customer.id)
    expect(seen).toMatchObject({
      person: { id: customer.id, state: 'active', role: 'PARENT' },
      customer: {
        balance: 16,
        orderCount: 1,
        orders: [{ status: 'paid', total: 4, titles: ['الكسور'] }],
        documents: [{ id: document.id, price: 4 }],
        ratingCount: 0,
      },
      teacher: null,
    })
    await view(app, admin, customer.id)
    expect(await logOf(app, `user ${customer.id}`)).toEqual([
      { actor: `user ${admin.id}`, action: 'see', reason: null },
    ])
    const teacher = await app.anOfficeTeacher()
    const shown = (await view(app, admin, teacher.id)).teacher
    expect(shown).toMatchObject({ id: teacher.teacherId, owed: 0 })
    await expectCode(view(app, admin, 999_999), 'user_not_found')
  })

  test('are found after an import of thousands, without one search that writes all their texts', async () => {
    const large = await testApp()
    const as = await large.anOfficeAdministrator()
    await find(large, as, {})
    const made = sql`
      INSERT INTO users (email, username, first_name, last_name, role, password_hash)
      SELECT 'imported' || n || '@karras.test', 'imported', 'Imported', n::text, 'PARENT', 'x'
      FROM generate_series(1, ${FOLDED_AT_ONCE + 1}::integer) AS n`
    await made.execute(large.deps.database.kysely)
    const last = { q: `imported ${FOLDED_AT_ONCE + 1}` }
    expect(await emailsOf(large, as, last)).toEqual([])
    expect(await emailsOf(large, as, last)).toEqual([`imported${FOLDED_AT_ONCE + 1}@karras.test`])
  })

  test('are not found by what is no filter', async () => {
    for (const query of ['state=gone', 'role=SHOP', 'sort=password', 'size=0', 'page=x']) {
      const answer = await app.request('GET', `/api/office/admin/people?${query}`, { as: admin })
      expect(answer.status, query).toBe(400)
    }
  })
})

describe('the log', () => {
  const read = (query: log.LogFilters & { page?: number; size?: number }) =>
    app.call(log.listLog, { as: admin, query })

  test('is searched by actor, action, subject and day, and shows names', async () => {
    const customer = await app.aCustomer({ firstName: 'منى', lastName: 'الدريدي' })
    const body = { reason: 'Insults; "quoted"' }
    await app.call(office.blockPerson, { as: admin, params: { id: customer.id }, body })
    await view(app, admin, customer.id)
    const about = await read({ q: 'دريدي منى' })
    expect(about.content).toMatchObject([
      { action: 'see', subject: { kind: 'user', id: customer.id } },
      {
        action: 'block',
        actor: { userId: admin.id, name: 'Nadia Gharbi' },
        subject: { kind: 'user', id: customer.id, name: 'منى الدريدي' },
        reason: body.reason,
      },
    ])
    for (const q of [`user ${customer.id}`, customer.email]) {
      expect((await read({ q })).content, q).toEqual(about.content)
    }
    const mine = { who: String(admin.id), what: 'block', q: String(customer.id) }
    expect((await read(mine)).content).toHaveLength(1)
    expect((await read({ ...mine, kind: 'sights' })).content).toEqual([])
    const today = new Date(app.deps.now()).toISOString().slice(0, 10)
    expect((await read({ ...mine, to: '2020-01-01' })).totalElements).toBe(0)
    expect((await read({ ...mine, from: '2020-01-01' })).totalElements).toBe(1)
    expect(await app.call(log.exportLog, { as: admin, query: mine })).toMatchObject({
      rows: [{ action: 'block' }],
      isCut: false,
    })
    const choices = await app.call(log.getLogChoices, { as: admin })
    expect(choices.actors).toContainEqual({ who: String(admin.id), name: 'Nadia Gharbi' })
    expect(choices.actions).toContain('see')
    for (const query of [{ from: 'today' }, { who: 'x' }, { kind: 'all' }, { to: `${today}x` }]) {
      const search = new URLSearchParams(Object.entries(query))
      const answer = await app.request('GET', `/api/office/admin/log?${search}`, { as: admin })
      expect(answer.status).toBe(400)
    }
    for (const q of ['%', '"', "';--", 'user 99999999999', '\\', 'زفزف']) {
      expect((await read({ q })).content, q).toEqual([])
    }
  })
})
