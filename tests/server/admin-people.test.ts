import { beforeAll, describe, expect, test } from 'vitest'
import * as accounts from '../../src/contract/accounts.ts'
import * as carts from '../../src/contract/carts.ts'
import { listMessages, openRoom } from '../../src/contract/chat.ts'
import { acceptInvitation, officeLogIn } from '../../src/contract/office-access.ts'
import * as log from '../../src/contract/office-log.ts'
import * as merging from '../../src/contract/office-merge.ts'
import * as office from '../../src/contract/office-people.ts'
import { createOrder, initiatePayment } from '../../src/contract/orders.ts'
import * as ratings from '../../src/contract/ratings.ts'
import * as shelves from '../../src/contract/shelves.ts'
import { payFromWallet, walletHistory } from '../../src/contract/wallet.ts'
import { addToWishlist } from '../../src/contract/wishlists.ts'
import { dinars } from '../../src/rules/money.ts'
import { checkLedger, confirmManual, isLedgerSound } from '../../src/server/money/money.ts'
import { checkRatings } from '../../src/server/ratings/ratings.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { say } from '../support/chat.ts'
import { bothAtOnce, runCommand } from '../support/operator.ts'
import { inOffice, PASSWORD, type Person } from '../support/people.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await testApp()
  admin = await inOffice(
    app.deps,
    await app.anAdministrator({ firstName: 'Nadia', lastName: 'Gharbi' }),
  )
  return app.stop
})

const find = (query: office.PeopleFilters) => app.call(office.listPeople, { as: admin, query })
const emailsOf = async (query: office.PeopleFilters) =>
  (await find(query)).content.map(({ email }) => email)
const view = (id: number, as = admin) => app.call(office.getPerson, { as, params: { id } })
const logged = (subject: string) =>
  app.deps.database.kysely
    .selectFrom('staffLog')
    .select(['actor', 'action', 'reason'])
    .where('subject', '=', subject)
    .orderBy('id')
    .execute()
const refused = (code: string) => ({ code })
const mailsTo = async (email: string) =>
  (await app.mails()).filter(({ headers }) => headers.includes(email))

const commandLine = (...typed: string[]) => runCommand(app, ...typed)

/** The same call by two administrators at the same moment. */
const byTwo = async (call: (as: Person) => Promise<unknown>) =>
  bothAtOnce([admin, await inOffice(app.deps, await app.anAdministrator())], call)

describe('the people of the shop', () => {
  test('are found by name in either script, e-mail, phone and id, page by page', async () => {
    const amal = await app.aCustomer({
      firstName: 'آمال',
      lastName: 'القاسمي',
      email: 'amal.kasmi@mail.example',
      phone: '98765432',
    })
    const chedly = await app.aCustomer({ firstName: 'Chédly', lastName: 'Hélali' })
    for (const q of [
      'امال',
      'قاسمي آم',
      'AMAL.kasmi@mail',
      '98 765',
      '+216 98765432',
      `#${amal.id}`,
    ]) {
      expect(await emailsOf({ q }), q).toEqual([amal.email])
    }
    expect(await emailsOf({ q: 'helali chedly' })).toEqual([chedly.email])
    expect(await emailsOf({ q: '%' })).toEqual([])
    // A name that changes is found by the new one.
    await app.deps.database.kysely
      .updateTable('users')
      .set({ lastName: 'Zribi' })
      .where('id', '=', chedly.id)
      .execute()
    expect(await emailsOf({ q: 'helali' })).toEqual([])
    expect(await emailsOf({ q: 'zribi' })).toEqual([chedly.email])

    const unconfirmed = await app.aCustomer({ isConfirmed: false })
    expect(await emailsOf({ state: 'unconfirmed' })).toEqual([unconfirmed.email])
    expect(await emailsOf({ role: 'ADMIN' })).toContain(admin.email)
    const names = (await find({ sort: 'name', size: 100 })).content.map(({ name }) => name)
    expect(names).toEqual([...names].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)))
    const second = await find({ size: 1, page: 1, sort: 'since' })
    expect(second).toMatchObject({ number: 1, size: 1, totalPages: second.totalElements })
  })

  test('show what a customer bought and holds; a view is logged once an hour', async () => {
    const customer = await app.aCustomer({ balance: dinars(20) })
    const document = await app.aDocument({ price: dinars(4), title: 'الكسور' })
    const body = { userId: customer.id, documentIds: [document.id] }
    await app.call(payFromWallet, { as: customer, key: 'see', body })
    const seen = await view(customer.id)
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
    await view(customer.id)
    expect(await logged(`user ${customer.id}`)).toEqual([
      { actor: `user ${admin.id}`, action: 'see', reason: null },
    ])
    const teacher = await app.anOfficeTeacher()
    expect((await view(teacher.id)).teacher).toMatchObject({ id: teacher.teacherId, owed: 0 })
    await expect(view(999_999)).rejects.toMatchObject(refused('user_not_found'))
  })

  test('are nobody’s but administrators’', async () => {
    const calls = ['people', `people/${admin.id}`, 'log', 'log/choices', 'log/export']
    const blocked = await inOffice(app.deps, await app.anAdministrator())
    const teacher = await app.anOfficeTeacher()
    const parent = await app.aCustomer()
    await app.call(office.blockPerson, {
      as: admin,
      params: { id: blocked.id },
      body: { reason: 'left' },
    })
    for (const path of calls) {
      const tries = [
        [null, 401],
        [{ token: 'garbage' }, 401],
        [blocked, 401],
        [parent, 401],
        [teacher, 403],
      ] as const
      for (const [as, status] of tries) {
        const answer = await app.request('GET', `/api/office/admin/${path}`, { as })
        expect(answer.status, `${path} ${status}`).toBe(status)
      }
    }
    for (const query of ['state=gone', 'role=SHOP', 'sort=password', 'size=0', 'page=x']) {
      const answer = await app.request('GET', `/api/office/admin/people?${query}`, { as: admin })
      expect(answer.status, query).toBe(400)
    }
  })
})

describe('what is done to an account', () => {
  const block = (id: number, as = admin) =>
    app.call(office.blockPerson, { as, params: { id }, body: { reason: 'Insults' } })

  test('is blocked once, whoever is first, and let in again', async () => {
    const { id, email } = await app.aCustomer()
    const { done, refusals } = await byTwo((as) => block(id, as))
    expect(done).toBe(1)
    expect(refusals[0]).toMatchObject({ status: 409, code: 'done_before' })
    expect(refusals[0]?.body).toMatchObject({ done: { by: expect.any(String) } })
    expect(await view(id)).toMatchObject({
      person: { state: 'blocked' },
      blockedReason: 'Insults',
    })
    expect(await emailsOf({ state: 'blocked', q: email })).toEqual([email])
    const unblock = (as: Person) =>
      app.call(office.unblockPerson, { as, params: { id }, body: { reason: 'Sorry' } })
    expect((await byTwo(unblock)).done).toBe(1)
    const never = { as: admin, params: { id: (await app.aCustomer()).id }, body: { reason: 'x' } }
    await expect(app.call(office.unblockPerson, never)).rejects.toMatchObject(
      refused('account_not_blocked'),
    )
  })

  test('never shuts out oneself, nor the last administrator', async () => {
    await expect(block(admin.id)).rejects.toMatchObject(refused('own_account'))
    const own = await testApp()
    const [one, two] = [
      await inOffice(own.deps, await own.anAdministrator()),
      await inOffice(own.deps, await own.anAdministrator()),
    ]
    // Each blocks the other at the same moment: one of them stays.
    const ends = await Promise.allSettled(
      [
        { as: one, id: two.id },
        { as: two, id: one.id },
      ].map(({ as, id }) =>
        own.call(office.blockPerson, { as, params: { id }, body: { reason: 'x' } }),
      ),
    )
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('ends its sessions, mails a link, takes a second factor; each is in the log', async () => {
    const { id, email, token } = await app.aCustomer()
    const call = { as: admin, params: { id } }
    await app.call(office.sendPasswordLink, call)
    expect(await mailsTo(email)).not.toEqual([])
    await app.call(office.endSessionsOf, call)
    const answer = await app.request('POST', '/api/auth/logout', { as: { token } })
    expect(answer.status).toBe(401)
    const reset = { ...call, body: { reason: 'Lost phone' } }
    await expect(app.call(office.resetSecondFactorOf, reset)).rejects.toMatchObject(
      refused('no_second_factor'),
    )
    await app.deps.database.kysely
      .insertInto('secondFactors')
      .values({ userId: id, sealedSecret: 'x', lastStep: 0, since: new Date() })
      .execute()
    const { done, refusals } = await byTwo((as) =>
      app.call(office.resetSecondFactorOf, { ...reset, as }),
    )
    expect([done, refusals[0]?.code]).toEqual([1, 'done_before'])
    expect((await logged(`user ${id}`)).map(({ action }) => action)).toEqual([
      'send password link',
      'end sessions',
      'reset second factor',
    ])
    await expect(
      app.call(office.endSessionsOf, { as: admin, params: { id: admin.id } }),
    ).rejects.toMatchObject(refused('own_account'))
  })

  test('is done by the command line as well', async () => {
    const { id, email } = await app.aCustomer({ firstName: 'Olfa', lastName: 'Mzoughi' })
    expect(await commandLine('user', email, 'end-sessions')).toMatchObject({ exit: 0 })
    expect(await commandLine('user', email, 'password-link')).toMatchObject({ exit: 0 })
    const found = JSON.parse((await commandLine('users', 'mzoughi olfa', '--json')).out)
    expect(found.users).toMatchObject([{ id, email }])
    const rows = JSON.parse((await commandLine('log', email, '--json')).out)
    expect(rows.map(({ action }: log.LoggedAction) => action)).toEqual([
      'send password link',
      'end sessions',
    ])
    expect((await commandLine('log', '--who', 'office', '--kind', 'deeds')).out).toContain('Olfa')
  })
})

describe('an invitation', () => {
  const form = { role: 'ADMIN', firstName: 'Rim', lastName: 'Ayari', locale: 'fr' } as const
  const invite = (email: string, role: 'ADMIN' | 'TEACHER' = 'ADMIN') =>
    app.call(office.invitePerson, { as: admin, body: { ...form, role, email } })
  const tokenIn = async (email: string) => {
    const mail = (await mailsTo(email)).at(-1)
    return /invitation\?token=([\w-]+)/.exec(mail?.parts['text/plain'] ?? '')?.[1] ?? ''
  }

  test('is mailed, opens the office once, and is not repeated for somebody who has joined', async () => {
    const email = 'rim@mail.example'
    const { id } = await invite(email)
    expect(await view(id)).toMatchObject({
      person: { state: 'invited', role: 'ADMIN' },
      invitedUntil: expect.any(String),
    })
    expect(await emailsOf({ state: 'invited' })).toEqual([email])
    const first = await tokenIn(email)
    await app.call(office.inviteAgain, { as: admin, params: { id } })
    const token = await tokenIn(email)
    expect(token).not.toBe(first)
    const take = (given: string) =>
      app.call(acceptInvitation, {
        body: { token: given, firstName: 'Rim', lastName: 'Ayari', password: 'Secret-2026' },
      })
    await expect(take(first)).rejects.toMatchObject(refused('invalid_invitation'))
    await take(token)
    await app.call(officeLogIn, { body: { username: email, password: 'Secret-2026' } })
    await expect(app.call(office.inviteAgain, { as: admin, params: { id } })).rejects.toMatchObject(
      refused('already_joined'),
    )
  })

  test('is withdrawn once, and its address is free again', async () => {
    const email = 'teacher-to-be@mail.example'
    const { id } = await invite(email, 'TEACHER')
    const token = await tokenIn(email)
    const { done, refusals } = await byTwo((as) =>
      app.call(office.withdrawInvitation, { as, params: { id } }),
    )
    expect([done, refusals[0]?.code]).toEqual([1, 'done_before'])
    await expect(
      app.call(acceptInvitation, {
        body: { token, firstName: 'A', lastName: 'B', password: 'Secret-2026' },
      }),
    ).rejects.toMatchObject(refused('invalid_invitation'))
    await invite(email, 'ADMIN')
    const { email: taken } = await app.aCustomer()
    await expect(invite(taken)).rejects.toMatchObject(refused('email_of_other_role'))
    expect((await commandLine('withdraw-invitation', email)).exit).toBe(0)
  })
})

describe('the log', () => {
  const read = (query: log.LogFilters & { page?: number; size?: number }) =>
    app.call(log.listLog, { as: admin, query })

  test('is searched by actor, action, subject and day, and shows names', async () => {
    const customer = await app.aCustomer({ firstName: 'منى', lastName: 'الدريدي' })
    const body = { reason: 'Insults; "quoted"' }
    await app.call(office.blockPerson, { as: admin, params: { id: customer.id }, body })
    await view(customer.id)
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

describe('a merge of two accounts of one family', () => {
  /** Two accounts: the first has a bit of everything, and something in common with the other. */
  async function aFamily() {
    const [from, into] = [
      await app.aCustomer({ balance: dinars(40) }),
      await app.aCustomer({ balance: dinars(30) }),
    ]
    const [common, own, wished] = [
      await app.aDocument({ price: dinars(5) }),
      await app.aDocument({ price: dinars(12) }),
      await app.aDocument({ price: dinars(15) }),
    ]
    const buy = (as: Person, ...documentIds: number[]) =>
      app.call(payFromWallet, { as, key: `b${documentIds}`, body: { userId: as.id, documentIds } })
    await buy(from, common.id, own.id)
    await buy(into, common.id)
    const rate = (as: Person, id: number, stars: number) =>
      app.call(ratings.addRating, {
        as,
        body: { user: { id: as.id }, rating: stars, comment: '', document: { id } },
      })
    await rate(from, common.id, 1)
    await rate(into, common.id, 5)
    await rate(from, own.id, 4)
    const wish = { userId: from.id, documentId: wished.id }
    await app.call(addToWishlist, { as: from, query: wish })
    await app.call(carts.addToCart, { as: from, query: wish })
    const order = await app.call(createOrder, {
      as: from,
      key: 'order',
      body: { userId: from.id, orderDocs: [{ documentId: wished.id }] },
    })
    const payment = await app.call(initiatePayment, {
      as: from,
      key: 'pay',
      params: { provider: 'sandbox' },
      query: { orderId: order.id, method: 'bank_transfer' },
    })
    for (const [as, name, put] of [
      [from, 'سلمى', [common.id, own.id]],
      [from, 'Sami', [own.id]],
      [into, 'سَلمى', []],
    ] as const) {
      const { id } = await app.call(shelves.addShelf, { as, body: { name } })
      await app.call(shelves.arrangeShelf, {
        as,
        params: { id },
        body: { put: [...put], take: [] },
      })
    }
    return { from, into, common, own, wished, payment }
  }
  const merge = (
    { from, into }: { from: Person; into: Person },
    { as = admin, key = `m${from.id}` } = {},
  ) =>
    app.call(merging.mergePeople, {
      as,
      key,
      params: { id: into.id },
      body: { fromId: from.id, reason: 'One family' },
    })

  test('moves everything, closes the other account, and keeps the books sound', async () => {
    const family = await aFamily()
    const { from, into, common, own, wished, payment } = family
    const administrator = await app.anAdministrator()
    const write = async (as: Person, text: string) => {
      const query = { user1Id: as.id, user2Id: administrator.id }
      const { roomId } = await app.call(openRoom, { as, query })
      await say(app, as, administrator, text)
      return roomId
    }
    await write(from, 'مرحبا')
    const theirs = await write(into, 'صباح الخير')
    await say(app, administrator, into, 'صباح النور')

    const preview = await app.call(merging.previewMerge, {
      as: admin,
      params: { id: into.id },
      query: { from: from.id },
    })
    const moved = {
      balance: 23,
      orders: 2,
      openPayments: 1,
      documents: 1,
      duplicates: [{ id: common.id, title: expect.any(String), price: 5 }],
      ratings: 1,
      droppedRatings: 1,
      wishes: 1,
      cartItems: 1,
      conversations: 1,
    }
    expect(preview).toMatchObject({ from: { id: from.id }, into: { id: into.id }, ...moved })
    expect(await merge(family)).toEqual(moved)

    expect(await app.balanceOf(into)).toBe(dinars(48))
    expect(await view(into.id)).toMatchObject({
      merged: [{ id: from.id }],
      customer: { documentCount: 2, orderCount: 3, ratingCount: 2, conversationCount: 1 },
    })
    expect(await view(from.id)).toMatchObject({
      person: { state: 'closed' },
      mergedInto: { id: into.id },
      customer: { balance: 0, documentCount: 0, orderCount: 0, ratingCount: 0 },
    })
    expect(await app.call(ratings.getDocumentAverage, { params: { id: common.id } })).toBe(5)
    expect(await app.call(ratings.getDocumentAverage, { params: { id: own.id } })).toBe(4)
    // Two shelves of one name are one.
    const kept = await app.call(shelves.listShelves, { as: into })
    expect(kept.map(({ name, documentIds }) => [name, documentIds.toSorted()])).toEqual([
      ['Sami', [own.id]],
      ['سَلمى', [common.id, own.id].toSorted()],
    ])
    const messages = await app.call(listMessages, {
      as: into,
      params: { roomId: theirs },
      query: {},
    })
    expect(JSON.stringify(messages)).toMatch(/مرحبا.*صباح|صباح.*مرحبا/)
    // One of the two was answered; the other customer still waits.
    const room = await app.deps.database.kysely
      .selectFrom('chatRooms')
      .select('unansweredSince')
      .where('id', '=', theirs)
      .executeTakeFirstOrThrow()
    expect(room.unansweredSince).toBeInstanceOf(Date)
    const history = await app.call(walletHistory, { as: into, query: { userId: into.id } })
    expect(history.content[0]).toMatchObject({ kind: 'merge', amount: 23, balanceAfter: 48 })

    // The closed account says so, and its session has ended.
    const body = { username: from.email, password: PASSWORD }
    await expect(app.call(accounts.logIn, { body })).rejects.toMatchObject(
      refused('account_merged'),
    )
    const pay = { userId: from.id, documentIds: [wished.id] }
    await expect(
      app.call(payFromWallet, { as: from, key: 'late', body: pay }),
    ).rejects.toMatchObject({ status: 401 })
    await expect(
      app.call(office.unblockPerson, {
        as: admin,
        params: { id: from.id },
        body: { reason: 'x' },
      }),
    ).rejects.toMatchObject(refused('account_closed'))

    // What it had still to pay arrives at the other one.
    await confirmManual(app.deps, payment.paymentRef)
    expect((await view(into.id)).customer).toMatchObject({ documentCount: 3 })
    expect(isLedgerSound(await checkLedger(app.deps.database.kysely))).toBe(true)
    expect(await checkRatings(app.deps.database.kysely)).toEqual([])
    expect(await mailsTo(from.email)).not.toEqual([])
    expect(await logged(`user ${from.id}`)).toContainEqual({
      actor: `user ${admin.id}`,
      action: 'merge',
      reason: 'One family',
    })
  })

  test('happens once: sent again, by two at once, and while a payment arrives', async () => {
    const family = await aFamily()
    const [first, again] = await Promise.all([merge(family), merge(family)])
    expect(again).toEqual(first)
    await expect(merge(family, { key: 'other' })).rejects.toMatchObject(refused('done_before'))

    const next = await aFamily()
    const [ends] = await Promise.all([
      byTwo((as) => merge(next, { as, key: `two ${as.id}` })),
      confirmManual(app.deps, next.payment.paymentRef),
    ])
    expect([ends.done, ends.refusals[0]?.code]).toEqual([1, 'done_before'])
    expect((await view(next.into.id)).customer).toMatchObject({ documentCount: 3 })
    // Each into the other at the same moment: one stays.
    const both = [await app.aCustomer({ balance: dinars(3) }), await app.aCustomer()] as const
    const crossed = await Promise.allSettled([
      merge({ from: both[0], into: both[1] }),
      merge({ from: both[1], into: both[0] }),
    ])
    expect(crossed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const kept = await Promise.all(both.map((one) => app.balanceOf(one)))
    expect(kept.sort()).toEqual([0, dinars(3)])
    expect(isLedgerSound(await checkLedger(app.deps.database.kysely))).toBe(true)
  })

  test('is for two different customers only, of whom the staying one is not blocked', async () => {
    const [one, other] = [await app.aCustomer(), await app.aCustomer()]
    const teacher = await app.anOfficeTeacher()
    const wrong = [
      { from: one, into: one },
      { from: one, into: teacher },
      { from: admin, into: one },
    ]
    for (const pair of wrong) {
      await expect(merge(pair)).rejects.toMatchObject(refused('not_two_customers'))
    }
    await expect(merge({ from: one, into: { ...other, id: 999_999 } })).rejects.toMatchObject(
      refused('user_not_found'),
    )
    expect((await commandLine('merge', one.email, other.email)).out).toContain('Nothing was moved')
    expect((await view(one.id)).person.state).toBe('active')
    const done = await commandLine('merge', one.email, other.email, '--reason', 'Twice', '--json')
    expect(JSON.parse(done.out)).toMatchObject({ isDone: true, fromId: one.id })
    expect((await commandLine('merge', one.email, other.email, '--reason', 'x')).exit).toBe(1)
    await app.call(office.blockPerson, {
      as: admin,
      params: { id: other.id },
      body: { reason: 'x' },
    })
    const third = await app.aCustomer()
    await expect(merge({ from: third, into: other })).rejects.toMatchObject(
      refused('not_two_customers'),
    )
  })
})
