import { describe, expect, test } from 'vitest'
import {
  listAdministrators,
  listMessages,
  listRoomSummaries,
  listRooms,
  openRoom,
} from '../../../src/contract/chat.ts'
import * as canned from '../../../src/contract/office-canned-answers.ts'
import * as inbox from '../../../src/contract/office-conversations.ts'
import { getWaiting } from '../../../src/contract/office-desk.ts'
import { blockPerson } from '../../../src/contract/office-people.ts'
import { inEachLanguage } from '../../../src/rules/languages.ts'
import { roomId as roomIdOf } from '../../../src/rules/room.ts'
import { CHAT_MAIL_AFTER_MS, mailAbsent } from '../../../src/server/chat/absence.ts'
import { signToken } from '../../../src/server/http/identity.ts'
import { BY_COMMAND } from '../../../src/server/money/money.ts'
import { mergeAccounts } from '../../../src/server/people/people.ts'
import {
  answer,
  aRequest,
  by,
  doneBefore,
  list,
  open,
  roomsOf,
  take,
} from '../../support/admin/inbox.ts'
import { testApp } from '../../support/app.ts'
import { aConversation, follow, sendChat } from '../../support/chat.ts'
import { bothAtOnce, callByCommand } from '../../support/operator.ts'
import { type Person, withOfficeToken } from '../../support/people.ts'
import { expectCode } from '../../support/refusals.ts'
import { actionsOn } from '../../support/staff-log.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
const admin = await app.anOfficeAdministrator({ firstName: 'Nadia', lastName: 'Gharbi' })
const other = await app.anOfficeAdministrator({ firstName: 'Sami', lastName: 'Trabelsi' })
const handBack = (roomId: string, as: Person) =>
  app.call(inbox.handBackConversation, { as, params: { roomId } })
const close = (roomId: string, upTo: number, as = admin) =>
  app.call(inbox.closeConversation, { as, params: { roomId }, body: { upTo } })

const byCommand = (name: string, roomId: string, { email }: Person, ...typed: string[]) =>
  callByCommand(app, name, `roomId=${roomId}`, `--as=${email}`, ...typed)

describe('the list of conversations', () => {
  test('sorts by longest waiting, then newest, and filters by assignee and name', async () => {
    const one = await aRequest(app, 'first', { firstName: 'آمال', lastName: 'القاسمي' })
    const two = await aRequest(app, 'second')
    const answered = await aRequest(app, 'third')
    await answer(app, answered.roomId, other, 'Here you are.')
    const all = await roomsOf(app, admin, { size: 100 })
    const ours = all.filter((id) => [one, two, answered].some(({ roomId }) => roomId === id))
    expect(ours).toEqual([one.roomId, two.roomId, answered.roomId])
    expect(await roomsOf(app, admin, { q: 'امال قاسمي' })).toEqual([one.roomId])
    expect(await roomsOf(app, admin, { q: '%' })).toEqual([])
    expect(await roomsOf(app, admin, { customer: two.customer.id })).toEqual([two.roomId])

    const waiting = await roomsOf(app, admin, { show: 'waiting', size: 100 })
    expect(waiting).toEqual(expect.arrayContaining([one.roomId, two.roomId]))
    expect(waiting).not.toContain(answered.roomId)
    expect(await roomsOf(app, admin, { show: 'taken' })).toEqual([answered.roomId])
    expect(await roomsOf(app, admin, { show: 'mine' })).toEqual([])
    expect(await roomsOf(app, admin, { show: 'mine' }, other)).toEqual([answered.roomId])

    const [last] = await list(app, admin, { customer: answered.customer.id })
    expect(last).toMatchObject({
      isShared: true,
      takenBy: { id: other.id, name: 'Sami Trabelsi' },
      waitingSince: null,
      unread: 0,
      last: { text: 'Here you are.', isCustomers: false, author: expect.stringMatching(/^person/) },
    })
    const query = { size: 1, page: 1, show: 'waiting' } as const
    const paged = await app.call(inbox.listConversations, { as: admin, query })
    expect(paged).toMatchObject({ number: 1, size: 1, content: [{ roomId: waiting[1] }] })
  })

  test('shows an administrator’s own conversations to that one only', async () => {
    const customer = await app.aCustomer()
    const query = { user1Id: customer.id, user2Id: admin.id }
    const { roomId } = await app.call(openRoom, { as: customer, query })
    expect(await roomsOf(app, admin, { customer: customer.id })).toEqual([])
    await sendChat(app, customer, admin, 'for you')
    expect(await roomsOf(app, admin, { customer: customer.id })).toEqual([roomId])
    expect(await roomsOf(app, admin, { show: 'mine' })).toContain(roomId)
    expect(await roomsOf(app, admin, { customer: customer.id }, other)).toEqual([])
    await expectCode(open(app, other, roomId), 'forbidden')
    await expectCode(take(app, roomId, other), 'forbidden')
    await expectCode(answer(app, roomId, other, 'not I'), 'forbidden')
    // One's own conversations cannot be taken.
    await expectCode(take(app, roomId, admin), 'forbidden')
    expect(await answer(app, roomId, admin, 'yes')).toMatchObject({
      senderId: admin.id,
      author: null,
    })
    expect(await actionsOn(app, `conversation ${customer.id}`)).toEqual([
      by(admin, 'answer message'),
    ])
  })
})

describe('a conversation of the common inbox', () => {
  test('opening it is logged, and every administrator reads it live', async () => {
    const { customer, shop, roomId, write } = await aRequest(app, 'hello')
    const live = await follow(app.url, other.token, roomId)
    expect(await open(app, admin, roomId)).toMatchObject({
      customer: { id: customer.id },
      unread: 1,
    })
    const params = { roomId }
    const read = await app.call(inbox.listConversationMessages, { as: admin, params, query: {} })
    expect(read).toMatchObject([{ content: 'hello', senderId: customer.id, receiverId: shop.id }])
    expect(await actionsOn(app, `user ${customer.id}`)).toEqual([by(admin, 'see')])
    await write('again')
    await answer(app, roomId, admin, 'We look at it.')
    await expect
      .poll(() => live.messages.map(({ content }) => content))
      .toEqual(['again', 'We look at it.'])

    const upTo = read[0]?.id ?? 0
    await write('and again')
    await app.call(inbox.markConversationRead, { as: admin, params, body: { upTo } })
    expect(await open(app, admin, roomId)).toMatchObject({ unread: 1 })
  })

  test('is followed, read and answered by nobody else: not with the shop’s token, not by a teacher or a stranger', async () => {
    const { customer, shop, roomId } = await aRequest(app)
    const strangers = [
      await app.anAdministrator(),
      await app.anOfficeTeacher(),
      await app.aCustomer(),
    ]
    const body = { senderId: shop.id, receiverId: customer.id, content: 'forged' }
    const path = `/api/messages/room/${roomId}`
    for (const as of strangers) {
      await expect(follow(app.url, as.token, roomId)).rejects.toThrow('forbidden')
      expect((await app.request('GET', `${path}/messages`, { as })).status).toBe(403)
    }
    for (const as of strangers.slice(1)) {
      await expect(byCommand('answerConversation', roomId, as, 'content=not I')).rejects.toThrow()
    }
    // A customer cannot write in the shop's name either.
    for (const as of [...strangers.slice(1), customer]) {
      expect((await app.request('POST', `${path}/send`, { as, body })).status).toBe(403)
    }
    await expectCode(open(app, admin, 'room_998_999'), 'room_not_found')
    await expectCode(open(app, admin, 'room_3_1'), 'invalid_input')
  })

  test('tells its customer who of the shop wrote', async () => {
    const { customer, shop, roomId } = await aRequest(app, 'A custom order')
    expect(roomId).toBe(roomIdOf(customer.id, shop.id))
    const live = await follow(app.url, customer.token, roomId)
    await answer(app, roomId, admin, 'We look at it.')
    await take(app, roomId, other, admin.id)
    await answer(app, roomId, other, 'It is done.')
    const nameOf = ({ email }: Person) => `person${email.match(/\d+/)}`
    const texts = () => live.messages.map(({ author, content }) => [author, content])
    await expect.poll(texts).toEqual([
      [nameOf(admin), 'We look at it.'],
      [nameOf(other), 'It is done.'],
    ])
    const stored = await app.call(listMessages, { as: customer, params: { roomId }, query: {} })
    expect(stored[0]).toMatchObject({ senderId: customer.id, receiverId: shop.id, author: null })
    expect(stored.slice(1)).toEqual(live.messages)
    expect(stored[1]).toMatchObject({ senderId: shop.id, receiverId: customer.id })
    const params = { userId: customer.id }
    const [summary] = await app.call(listRoomSummaries, { as: customer, params })
    expect(summary).toMatchObject({
      roomId,
      other: { id: shop.id, name: 'كرّاس · Karras' },
      lastMessage: { author: nameOf(other) },
      unreadCount: 2,
    })
  })

  test('exists without any administrator, once, even when many open it at once', async () => {
    const fresh = await testApp()
    const customer = await fresh.aCustomer()
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => fresh.call(listAdministrators, { as: customer })),
    )
    const shop = { id: expect.any(Number), username: 'كرّاس · Karras', isShop: true }
    expect(answers).toEqual(Array(4).fill([shop]))
    expect(new Set(answers.map(([only]) => only?.id)).size).toBe(1)
    await aRequest(fresh, 'Is anybody there?')
    const { content } = await callByCommand(fresh, 'listConversations')
    const last = { text: 'Is anybody there?' }
    expect(content).toMatchObject([{ unread: 1, isShared: true, last }])
  })

  test('is none of the staff’s own conversations', async () => {
    const { shop } = await aRequest(app)
    for (const as of [await app.anAdministrator(), await app.aTeacherAccount()]) {
      const query = { user1Id: as.id, user2Id: shop.id }
      await expectCode(app.call(openRoom, { as, query }), 'forbidden')
    }
  })

  test('gives each administrator a writer’s full rate limit', async () => {
    const { roomId } = await aRequest(app, 'many answers, please')
    const [one, two] = [await app.anOfficeAdministrator(), await app.anOfficeAdministrator()]
    for (let sent = 0; sent < 30; sent++) await answer(app, roomId, one, `${sent}`)
    await expectCode(answer(app, roomId, one, 'more'), 'too_many_requests')
    await take(app, roomId, two, one.id)
    await answer(app, roomId, two, 'from somebody else')
  })

  test('notifies every administrator of waiting messages by mail', async () => {
    const own = await testApp()
    const { customer, roomId } = await aRequest(own, 'waiting')
    const [one, two] = [await own.anOfficeAdministrator(), await own.anOfficeAdministrator()]
    const mailLater = () => {
      own.travel(2 * CHAT_MAIL_AFTER_MS)
      return mailAbsent(own.deps)
    }
    await mailLater()
    const mails = await own.mails()
    const receivers = mails.map(({ headers }) => /^To: (.*)$/m.exec(headers)?.[1])
    expect(receivers.sort()).toEqual([one, two].map(({ email }) => email).sort())
    expect(await mailLater()).toBe(0)

    await answer(own, roomId, one, 'Here we are.')
    expect(await mailLater()).toBe(1)
    const all = await own.mails()
    const mail = all.find(({ headers }) => headers.includes(`To: ${customer.email}`))
    expect(mail?.parts['text/plain']).toMatch(/person\d+/)
    expect(mail?.parts['text/plain']).toContain('Here we are.')
  })

  test('taken by two at once, is taken once; the second learns who was first', async () => {
    const { customer, roomId } = await aRequest(app)
    const { done, refusals } = await bothAtOnce([admin, other], (as) => take(app, roomId, as))
    expect(done).toBe(1)
    const { takenBy } = await open(app, admin, roomId)
    expect(refusals).toMatchObject([doneBefore(takenBy?.name ?? '')])
    const [owner, late] = takenBy?.id === admin.id ? [admin, other] : [other, admin]
    // Repeating it changes nothing, and gives it to nobody else.
    await take(app, roomId, owner)
    for (const call of [
      () => answer(app, roomId, late, 'me too'),
      () => close(roomId, 2 ** 30, late),
      () => handBack(roomId, late),
    ]) {
      await expect(call()).rejects.toMatchObject(doneBefore(takenBy?.name ?? ''))
    }

    expect((await take(app, roomId, late, owner.id)).takenBy).toMatchObject({ id: late.id })
    await expectCode(take(app, roomId, owner), 'done_before')
    expect((await handBack(roomId, late)).takenBy).toBeNull()
    expect((await handBack(roomId, late)).takenBy).toBeNull()
    expect(await actionsOn(app, `conversation ${customer.id}`)).toEqual([
      by(owner, 'take conversation'),
      by(late, 'take over conversation'),
      by(late, 'hand back conversation'),
    ])
  })

  test('answered by two at once, is answered once, and once per message id', async () => {
    const { customer, roomId } = await aRequest(app, 'who is there?')
    const { done, refusals } = await bothAtOnce([admin, other], (as) =>
      answer(app, roomId, as, 'I am'),
    )
    expect([done, refusals.map(({ code }) => code)]).toEqual([1, ['done_before']])
    const { takenBy } = await open(app, admin, roomId)
    const owner = takenBy?.id === admin.id ? admin : other
    const clientId = crypto.randomUUID()
    const sent = await Promise.all(
      [1, 2, 3].map(() => answer(app, roomId, owner, 'twice', clientId)),
    )
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
    await expectCode(answer(app, roomId, owner, 'another', clientId), 'idempotency_conflict')
    // Sent again after somebody else has taken it over, it is still the stored one.
    await take(app, roomId, owner === admin ? other : admin, owner.id)
    expect((await answer(app, roomId, owner, 'twice', clientId)).id).toBe(sent[0]?.id)
    const params = { userId: customer.id }
    const [summary] = await app.call(listRoomSummaries, { as: customer, params })
    expect(summary).toMatchObject({ unreadCount: 2, lastMessage: { content: 'twice' } })
    const log = await actionsOn(app, `conversation ${customer.id}`)
    expect(log.filter(({ action }) => action === 'answer message')).toHaveLength(2)
  })

  test('stops waiting once it needs no answer, until its customer writes again', async () => {
    const { customer, roomId, write } = await aRequest(app, 'thank you!')
    const { last } = await open(app, admin, roomId)
    const newer = await write('and one more thing')
    await expectCode(close(roomId, last.id), 'conversation_went_on')
    const { done, refusals } = await bothAtOnce([admin, other], (as) => close(roomId, newer.id, as))
    expect([done, refusals.map(({ code }) => code)]).toEqual([1, ['done_before']])
    const waits = async () =>
      (await app.call(getWaiting, { as: admin })).groups.find(
        ({ kind }) => kind === 'conversations',
      )?.count ?? 0
    const before = await waits()
    expect(await roomsOf(app, admin, { show: 'waiting', size: 100 })).not.toContain(roomId)
    await write('hello?')
    expect(await roomsOf(app, admin, { show: 'waiting', size: 100 })).toContain(roomId)
    expect(await waits()).toBe(before + 1)
    expect(await actionsOn(app, `conversation ${customer.id}`)).toMatchObject([
      { action: 'close conversation' },
    ])
  })

  test('shows that its customer is blocked, and moves with a merged account', async () => {
    const { customer, roomId } = await aRequest(app, 'one')
    await take(app, roomId, other)
    const params = { id: customer.id }
    await app.call(blockPerson, { as: admin, params, body: { reason: 'insults' } })
    expect((await open(app, admin, roomId)).customer.state).toBe('blocked')
    await answer(app, roomId, other, 'You are blocked.')

    const gone = await aRequest(app, 'two')
    const into = await app.aCustomer()
    await take(app, gone.roomId, other)
    const ids = { fromId: gone.customer.id, intoId: into.id }
    await mergeAccounts(app.deps, { ...ids, reason: 'family' }, BY_COMMAND)
    await expectCode(open(app, admin, gone.roomId), 'room_not_found')
    expect(await list(app, admin, { customer: into.id })).toMatchObject([
      { takenBy: { id: other.id }, last: { text: 'two' }, customer: { id: into.id } },
    ])
  })
})

test('refuses an answer with an ended token, or from a blocked account', async () => {
  const { roomId } = await aRequest(app)
  const leaving = await withOfficeToken(app.deps, await app.anAdministrator())
  await take(app, roomId, leaving)
  const params = { id: leaving.id }
  await app.call(blockPerson, { as: admin, params, body: { reason: 'left' } })
  await expect(answer(app, roomId, leaving, 'still here')).rejects.toMatchObject({ status: 401 })
  expect((await take(app, roomId, admin, leaving.id)).takenBy).toMatchObject({ id: admin.id })
})

test('the command line does the same, and the log records it', async () => {
  const { customer, roomId } = await aRequest(app, 'from a terminal')
  const call = (name: string, as: Person, ...typed: string[]) =>
    byCommand(name, roomId, as, ...typed)
  const taken = await call('takeConversation', admin, 'from=null')
  expect(taken.takenBy).toMatchObject({ id: admin.id })
  await call('answerConversation', admin, 'content=We look at it.')
  await expect(call('handBackConversation', other)).rejects.toThrow(/Nadia Gharbi/)
  expect((await call('handBackConversation', admin)).takenBy).toBeNull()
  await expect(call('closeConversation', admin, 'upTo=1')).rejects.toThrow()
  const actor = 'command line'
  expect(await actionsOn(app, `conversation ${customer.id}`)).toEqual([
    { actor, action: 'take conversation' },
    { actor, action: 'answer message' },
    { actor, action: 'hand back conversation' },
  ])
})

describe('canned answers', () => {
  const unwritten = inEachLanguage(() => '')
  const form = {
    name: { ...unwritten, ar: 'الأسعار', fr: 'Les prix' },
    text: {
      ...unwritten,
      ar: 'مرحبا {{name}}، الأسعار على صفحة كلّ وثيقة.',
      fr: 'Bonjour {{name}}.',
    },
  }

  test('are added, changed once by two concurrent edits, retired and restored', async () => {
    const made = await app.call(canned.addCannedAnswer, { as: admin, body: form })
    expect(made).toMatchObject({ ...form, revision: 1, isRetired: false })
    const params = { id: made.id }
    const change = (as: Person, isRetired: boolean, revision: number) =>
      app.call(canned.changeCannedAnswer, { as, params, body: { ...form, isRetired, revision } })
    const { done, refusals } = await bothAtOnce([admin, other], (as) => change(as, true, 1))
    expect(done).toBe(1)
    expect(refusals).toMatchObject([doneBefore(expect.stringMatching(/Gharbi|Trabelsi/))])
    await change(other, false, 2)
    const all = await app.call(canned.listCannedAnswers, { as: other })
    expect(all).toEqual([{ ...made, revision: 3 }])
    expect(await actionsOn(app, `canned answer ${made.id}`)).toMatchObject([
      { action: 'add canned answer' },
      { action: 'retire canned answer' },
      { action: 'restore canned answer' },
    ])
    const body = { ...form, isRetired: false, revision: 1 }
    const none = app.call(canned.changeCannedAnswer, { as: admin, params: { id: 999_999 }, body })
    await expectCode(none, 'canned_answer_not_found')
  })

  test('require Arabic, and allow no placeholder but the name', async () => {
    for (const body of [
      { ...form, name: { ...form.name, ar: '' } },
      { ...form, text: { ...form.text, fr: 'Bonjour {{nom}}' } },
      { ...form, text: { ...form.text, en: 'x'.repeat(1001) } },
    ]) {
      await expectCode(app.call(canned.addCannedAnswer, { as: admin, body }), 'invalid_input')
    }
  })
})

describe('the account of the common inbox', () => {
  test('cannot log in, gets no password, and its tokens are refused', async () => {
    const { shop } = await aRequest(app)
    for (const password of ['', 'shop', 'karras-test']) {
      const body = { username: 'shop', password }
      const { status } = await app.request('POST', '/api/auth/login', { body })
      expect([400, 401]).toContain(status)
    }
    const body = { email: 'shop' }
    expect((await app.request('POST', '/api/auth/forgot-password', { body })).status).toBe(400)
    const taken = app.change('users', shop.id, { passwordHash: '$argon2id$whatever' })
    await expect(taken).rejects.toThrow('users_shop_has_no_password')

    const account = { id: shop.id, role: 'SHOP', generation: 0 } as const
    const token = await signToken(app.deps.secret, account, app.deps.now())
    const rooms = app.call(listRooms, { as: { token }, params: { userId: shop.id } })
    await expectCode(rooms, 'invalid_token')
  })

  test('cannot be registered by somebody else before it is created', async () => {
    const fresh = await testApp()
    const body = {
      username: 'shop',
      firstName: 'Not',
      lastName: 'The shop',
      phone: '20123456',
      gender: 'female',
      email: 'shop',
      password: 'karras-test',
      role: ['PARENT'],
    }
    expect((await fresh.request('POST', '/api/auth/register', { body })).status).toBe(400)
    await aRequest(fresh)
  })
})

test('a room that was just opened is first in the list, with or without a message', async () => {
  const { customer, room } = await aConversation(app)
  const openWith = async (id: number) => {
    const query = { user1Id: customer.id, user2Id: id }
    return (await app.call(openRoom, { as: customer, query })).roomId
  }
  const old = await app.anAdministrator()
  const earlier = await openWith(old.id)
  await sendChat(app, old, customer, 'from before')
  const [shop] = await app.call(listAdministrators, { as: customer })
  const params = { userId: customer.id }
  const order = [await openWith(shop?.id ?? 0), earlier, room]
  expect(await app.call(listRooms, { as: customer, params })).toEqual(order)
  const summaries = await app.call(listRoomSummaries, { as: customer, params })
  expect(summaries.map((summary) => summary.roomId)).toEqual(order)
  await sendChat(app, old, customer, 'and now')
  expect((await app.call(listRooms, { as: customer, params }))[0]).toBe(earlier)
})
