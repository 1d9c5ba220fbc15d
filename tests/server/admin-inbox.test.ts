import { beforeAll, describe, expect, test } from 'vitest'
import { listAdministrators, listRoomSummaries, openRoom } from '../../src/contract/chat.ts'
import * as canned from '../../src/contract/office-canned-answers.ts'
import * as inbox from '../../src/contract/office-conversations.ts'
import { blockPerson } from '../../src/contract/office-people.ts'
import { getWaiting } from '../../src/contract/office-waiting.ts'
import { mergeAccounts } from '../../src/server/people/people.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { follow, say } from '../support/chat.ts'
import { bothAtOnce, runCommand } from '../support/operator.ts'
import { inOffice, type Person } from '../support/people.ts'

let app: TestApp
let admin: Person
let other: Person
beforeAll(async () => {
  app = await testApp()
  admin = await app.anOfficeAdministrator({ firstName: 'Nadia', lastName: 'Gharbi' })
  other = await app.anOfficeAdministrator({ firstName: 'Sami', lastName: 'Trabelsi' })
  return app.stop
})

/** A customer who has written to the shop. */
async function aRequest(content = 'السلام عليكم', names: Parameters<TestApp['aCustomer']>[0] = {}) {
  const customer = await app.aCustomer(names)
  const [shop] = await app.call(listAdministrators, { as: customer })
  if (!shop?.isShop) throw new Error('the shop is not offered first')
  const query = { user1Id: customer.id, user2Id: shop.id }
  const { roomId } = await app.call(openRoom, { as: customer, query })
  await say(app, customer, shop, content)
  const write = (text: string) => say(app, customer, shop, text)
  return { customer, shop, roomId, write }
}

const list = async (
  query: Parameters<typeof app.call<typeof inbox.listConversations>>[1]['query'],
  as = admin,
) => (await app.call(inbox.listConversations, { as, query })).content
const roomsOf = async (query: Parameters<typeof list>[0], as = admin) =>
  (await list(query, as)).map(({ roomId }) => roomId)
const open = (roomId: string, as = admin) =>
  app.call(inbox.getConversation, { as, params: { roomId } })
const take = (roomId: string, as: Person, from: number | null = null) =>
  app.call(inbox.takeConversation, { as, params: { roomId }, body: { from } })
const handBack = (roomId: string, as: Person) =>
  app.call(inbox.handBackConversation, { as, params: { roomId } })
const answer = (roomId: string, as: Person, content: string, clientId = crypto.randomUUID()) =>
  app.call(inbox.answerConversation, { as, params: { roomId }, body: { content, clientId } })
const close = (roomId: string, upTo: number, as = admin) =>
  app.call(inbox.closeConversation, { as, params: { roomId }, body: { upTo } })

const logged = (subject: string) =>
  app.deps.database.kysely
    .selectFrom('staffLog')
    .select(['actor', 'action'])
    .where('subject', '=', subject)
    .orderBy('id')
    .execute()
const by = ({ id }: Person, action: string) => ({ actor: `user ${id}`, action })
const first = (name: string) => ({
  code: 'done_before',
  body: { done: { by: name, at: expect.any(String) } },
})

/** The same call by two administrators at the same moment. */
const byTwo = (call: (as: Person) => Promise<unknown>) => bothAtOnce([admin, other], call)

const commandLine = (...typed: string[]) => runCommand(app, ...typed)

describe('the list of conversations', () => {
  test('has who waits longest first, then the newest, by who has taken them and by name', async () => {
    const one = await aRequest('first', { firstName: 'آمال', lastName: 'القاسمي' })
    const two = await aRequest('second')
    const answered = await aRequest('third')
    await answer(answered.roomId, other, 'Here you are.')
    const all = await roomsOf({ size: 100 })
    const ours = all.filter((id) => [one, two, answered].some(({ roomId }) => roomId === id))
    expect(ours).toEqual([one.roomId, two.roomId, answered.roomId])
    expect(await roomsOf({ q: 'امال قاسمي' })).toEqual([one.roomId])
    expect(await roomsOf({ q: '%' })).toEqual([])
    expect(await roomsOf({ customer: two.customer.id })).toEqual([two.roomId])

    const waiting = await roomsOf({ show: 'waiting', size: 100 })
    expect(waiting).toEqual(expect.arrayContaining([one.roomId, two.roomId]))
    expect(waiting).not.toContain(answered.roomId)
    expect(await roomsOf({ show: 'taken' })).toEqual([answered.roomId])
    expect(await roomsOf({ show: 'mine' })).toEqual([])
    expect(await roomsOf({ show: 'mine' }, other)).toEqual([answered.roomId])

    const [last] = await list({ customer: answered.customer.id })
    expect(last).toMatchObject({
      isShared: true,
      takenBy: { id: other.id, name: 'Sami Trabelsi' },
      waitingSince: null,
      unread: 0,
      last: { text: 'Here you are.', isCustomers: false, author: expect.stringMatching(/^person/) },
    })
    const paged = await app.call(inbox.listConversations, {
      as: admin,
      query: { size: 1, page: 1, show: 'waiting' },
    })
    expect(paged).toMatchObject({ number: 1, size: 1, content: [{ roomId: waiting[1] }] })
  })

  test('has an administrator’s own conversations for that one alone', async () => {
    const customer = await app.aCustomer()
    const query = { user1Id: customer.id, user2Id: admin.id }
    const { roomId } = await app.call(openRoom, { as: customer, query })
    expect(await roomsOf({ customer: customer.id })).toEqual([])
    await say(app, customer, admin, 'for you')
    expect(await roomsOf({ customer: customer.id })).toEqual([roomId])
    expect(await roomsOf({ show: 'mine' })).toContain(roomId)
    expect(await roomsOf({ customer: customer.id }, other)).toEqual([])
    const forbidden = { status: 403, code: 'forbidden' }
    await expect(open(roomId, other)).rejects.toMatchObject(forbidden)
    await expect(take(roomId, other)).rejects.toMatchObject(forbidden)
    await expect(answer(roomId, other, 'not I')).rejects.toMatchObject(forbidden)
    // There is nothing to take of what is one's own.
    await expect(take(roomId, admin)).rejects.toMatchObject(forbidden)
    expect(await answer(roomId, admin, 'yes')).toMatchObject({ senderId: admin.id, author: null })
    expect(await logged(`conversation ${customer.id}`)).toEqual([by(admin, 'answer message')])
  })
})

describe('a conversation of the common inbox', () => {
  test('is opened, which the log says, and read live by every administrator', async () => {
    const { customer, shop, roomId, write } = await aRequest('hello')
    const live = await follow(app.url, other.token, roomId)
    expect(await open(roomId)).toMatchObject({ customer: { id: customer.id }, unread: 1 })
    const read = await app.call(inbox.listConversationMessages, {
      as: admin,
      params: { roomId },
      query: {},
    })
    expect(read).toMatchObject([{ content: 'hello', senderId: customer.id, receiverId: shop.id }])
    expect(await logged(`user ${customer.id}`)).toEqual([by(admin, 'see')])
    await write('again')
    await answer(roomId, admin, 'We look at it.')
    await expect
      .poll(() => live.messages.map(({ content }) => content))
      .toEqual(['again', 'We look at it.'])

    const upTo = read[0]?.id ?? 0
    await write('and again')
    await app.call(inbox.markConversationRead, { as: admin, params: { roomId }, body: { upTo } })
    expect(await open(roomId)).toMatchObject({ unread: 1 })
  })

  test('is followed by nobody else: not with the shop’s token, not by a teacher or a stranger', async () => {
    const { roomId } = await aRequest()
    const outside = await app.anAdministrator()
    const teacher = await app.anOfficeTeacher()
    for (const as of [outside, teacher, await app.aCustomer()]) {
      const path = `/api/office/admin/conversations/${roomId}`
      const answers = await Promise.all([
        app.request('GET', path, { as }),
        app.request('POST', `${path}/take`, { as, body: { from: null } }),
      ])
      for (const { status } of answers) expect([401, 403]).toContain(status)
      await expect(follow(app.url, as.token, roomId)).rejects.toThrow('forbidden')
    }
    await expect(open('room_998_999')).rejects.toMatchObject({ code: 'room_not_found' })
    const garbage = await app.request('GET', '/api/office/admin/conversations/room_3_1', {
      as: admin,
    })
    expect(garbage.status).toBe(400)
  })

  test('taken by two at once, is taken once; the second learns who was first', async () => {
    const { customer, roomId } = await aRequest()
    const { done, refusals } = await byTwo((as) => take(roomId, as))
    expect(done).toBe(1)
    const { takenBy } = await open(roomId)
    expect(refusals).toMatchObject([first(takenBy?.name ?? '')])
    const [owner, late] = takenBy?.id === admin.id ? [admin, other] : [other, admin]
    // Once more changes nothing, and gives it to nobody else.
    await take(roomId, owner)
    await expect(answer(roomId, late, 'me too')).rejects.toMatchObject(first(takenBy?.name ?? ''))
    await expect(close(roomId, 2 ** 30, late)).rejects.toMatchObject(first(takenBy?.name ?? ''))
    await expect(handBack(roomId, late)).rejects.toMatchObject(first(takenBy?.name ?? ''))

    expect((await take(roomId, late, owner.id)).takenBy).toMatchObject({ id: late.id })
    await expect(take(roomId, owner)).rejects.toMatchObject({ code: 'done_before' })
    expect((await handBack(roomId, late)).takenBy).toBeNull()
    expect((await handBack(roomId, late)).takenBy).toBeNull()
    expect(await logged(`conversation ${customer.id}`)).toEqual([
      by(owner, 'take conversation'),
      by(late, 'take over conversation'),
      by(late, 'hand back conversation'),
    ])
  })

  test('answered by two at once, is answered once, and once for each id of a message', async () => {
    const { customer, roomId } = await aRequest('who is there?')
    const { done, refusals } = await byTwo((as) => answer(roomId, as, 'I am'))
    expect([done, refusals.map(({ code }) => code)]).toEqual([1, ['done_before']])
    const { takenBy } = await open(roomId)
    const owner = takenBy?.id === admin.id ? admin : other
    const clientId = crypto.randomUUID()
    const sent = await Promise.all([1, 2, 3].map(() => answer(roomId, owner, 'twice', clientId)))
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
    await expect(answer(roomId, owner, 'another', clientId)).rejects.toMatchObject({
      code: 'idempotency_conflict',
    })
    // Sent again after somebody else has taken it over, it is still the stored one.
    await take(roomId, owner === admin ? other : admin, owner.id)
    expect((await answer(roomId, owner, 'twice', clientId)).id).toBe(sent[0]?.id)
    const params = { userId: customer.id }
    const [summary] = await app.call(listRoomSummaries, { as: customer, params })
    expect(summary).toMatchObject({ unreadCount: 2, lastMessage: { content: 'twice' } })
    const log = await logged(`conversation ${customer.id}`)
    expect(log.filter(({ action }) => action === 'answer message')).toHaveLength(2)
  })

  test('waits no longer once it needs no answer, until its customer writes again', async () => {
    const { customer, roomId, write } = await aRequest('thank you!')
    const { last } = await open(roomId)
    const newer = await write('and one more thing')
    await expect(close(roomId, last.id)).rejects.toMatchObject({ code: 'conversation_went_on' })
    const { done, refusals } = await byTwo((as) => close(roomId, newer.id, as))
    expect([done, refusals.map(({ code }) => code)]).toEqual([1, ['done_before']])
    const waits = async () =>
      (await app.call(getWaiting, { as: admin })).groups.find(
        ({ kind }) => kind === 'conversations',
      )?.count ?? 0
    const before = await waits()
    expect(await roomsOf({ show: 'waiting', size: 100 })).not.toContain(roomId)
    await write('hello?')
    expect(await roomsOf({ show: 'waiting', size: 100 })).toContain(roomId)
    expect(await waits()).toBe(before + 1)
    expect((await logged(`conversation ${customer.id}`)).map(({ action }) => action)).toEqual([
      'close conversation',
    ])
  })

  test('says that its customer is blocked, and goes with an account that is merged', async () => {
    const { customer, roomId } = await aRequest('one')
    await take(roomId, other)
    const params = { id: customer.id }
    await app.call(blockPerson, { as: admin, params, body: { reason: 'insults' } })
    expect((await open(roomId)).customer.state).toBe('blocked')
    await answer(roomId, other, 'You are blocked.')

    const gone = await aRequest('two')
    const into = await app.aCustomer()
    await take(gone.roomId, other)
    const ids = { fromId: gone.customer.id, intoId: into.id }
    const key = { userId: admin.id, key: 'merge' }
    await mergeAccounts(app.deps, { ...ids, actor: 'command line', reason: 'family', key })
    await expect(open(gone.roomId)).rejects.toMatchObject({ code: 'room_not_found' })
    expect(await list({ customer: into.id })).toMatchObject([
      { takenBy: { id: other.id }, last: { text: 'two' }, customer: { id: into.id } },
    ])
  })
})

describe('canned answers', () => {
  const form = {
    name: { ar: 'الأسعار', fr: 'Les prix', en: '' },
    text: { ar: 'مرحبا {{name}}، الأسعار على صفحة كلّ وثيقة.', fr: 'Bonjour {{name}}.', en: '' },
  }

  test('are added, changed once by two at once, retired and restored', async () => {
    const made = await app.call(canned.addCannedAnswer, { as: admin, body: form })
    expect(made).toMatchObject({ ...form, revision: 1, isRetired: false })
    const params = { id: made.id }
    const change = (as: Person, isRetired: boolean, revision: number) =>
      app.call(canned.changeCannedAnswer, { as, params, body: { ...form, isRetired, revision } })
    const { done, refusals } = await byTwo((as) => change(as, true, 1))
    expect(done).toBe(1)
    expect(refusals).toMatchObject([first(expect.stringMatching(/Gharbi|Trabelsi/))])
    await change(other, false, 2)
    const all = await app.call(canned.listCannedAnswers, { as: other })
    expect(all).toEqual([{ ...made, revision: 3 }])
    expect((await logged(`canned answer ${made.id}`)).map(({ action }) => action)).toEqual([
      'add canned answer',
      'retire canned answer',
      'restore canned answer',
    ])
    const none = app.call(canned.changeCannedAnswer, {
      as: admin,
      params: { id: 999_999 },
      body: { ...form, isRetired: false, revision: 1 },
    })
    await expect(none).rejects.toMatchObject({ code: 'canned_answer_not_found' })
  })

  test('need their Arabic, and no placeholder but the name', async () => {
    const wrong = [
      { ...form, name: { ...form.name, ar: '' } },
      { ...form, text: { ...form.text, fr: 'Bonjour {{nom}}' } },
      { ...form, text: { ...form.text, en: 'x'.repeat(1001) } },
    ]
    for (const body of wrong) {
      const refused = app.call(canned.addCannedAnswer, { as: admin, body })
      await expect(refused).rejects.toMatchObject({ status: 400 })
    }
  })
})

test('the command line does the same, and the log says so', async () => {
  const { customer, roomId } = await aRequest('from a terminal')
  const as = ['--as', admin.email]
  expect((await commandLine('chat', 'take', roomId, ...as)).out).toContain(admin.email)
  expect((await commandLine('chat', roomId, ...as, 'We look at it.')).exit).toBe(0)
  expect((await commandLine('chat', 'hand-back', roomId, '--as', other.email)).exit).toBe(1)
  const back = await commandLine('chat', 'hand-back', roomId, ...as, '--json')
  expect(JSON.parse(back.out)).toEqual({ room: roomId, takenBy: null })
  expect((await commandLine('chat', 'close', roomId, ...as)).exit).toBe(1)
  expect(await logged(`conversation ${customer.id}`)).toEqual(
    ['take conversation', 'answer message', 'hand back conversation'].map((action) => ({
      actor: 'command line',
      action,
    })),
  )
  const made = await commandLine('chat', 'answers', 'new', 'ar', 'شكر', 'شكرا {{name}}', '--json')
  const [{ id }] = JSON.parse(made.out)
  expect((await commandLine('chat', 'answers', `${id}`, 'fr', 'Merci', 'Merci {{nom}}')).exit).toBe(
    2,
  )
  await commandLine('chat', 'answers', `${id}`, 'fr', 'Merci', 'Merci {{name}}')
  const retired = await commandLine('chat', 'answers', `${id}`, 'retire', '--json')
  expect(JSON.parse(retired.out)).toMatchObject([
    { name: { fr: 'Merci' }, isRetired: true, revision: 3 },
  ])
})

test('an answer with an ended token, or from a blocked account, is refused', async () => {
  const { roomId } = await aRequest()
  const leaving = await inOffice(app.deps, await app.anAdministrator())
  await take(roomId, leaving)
  const params = { id: leaving.id }
  await app.call(blockPerson, { as: admin, params, body: { reason: 'left' } })
  await expect(answer(roomId, leaving, 'still here')).rejects.toMatchObject({ status: 401 })
  expect((await take(roomId, admin, leaving.id)).takenBy).toMatchObject({ id: admin.id })
})
