import { describe, expect, test } from 'vitest'
import { listRoomSummaries, openRoom } from '../../../src/contract/chat.ts'
import * as canned from '../../../src/contract/office-canned-answers.ts'
import * as inbox from '../../../src/contract/office-conversations.ts'
import { getWaiting } from '../../../src/contract/office-desk.ts'
import { blockPerson } from '../../../src/contract/office-people.ts'
import { inEachLanguage } from '../../../src/rules/languages.ts'
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
import { follow, sendChat } from '../../support/chat.ts'
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
    const paged = await app.call(inbox.listConversations, {
      as: admin,
      query: { size: 1, page: 1, show: 'waiting' },
    })
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
    const forbidden = { status: 403, code: 'forbidden' }
    await expect(open(app, other, roomId)).rejects.toMatchObject(forbidden)
    await expect(take(app, roomId, other)).rejects.toMatchObject(forbidden)
    await expect(answer(app, roomId, other, 'not I')).rejects.toMatchObject(forbidden)
    // One's own conversations cannot be taken.
    await expect(take(app, roomId, admin)).rejects.toMatchObject(forbidden)
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
    const read = await app.call(inbox.listConversationMessages, {
      as: admin,
      params: { roomId },
      query: {},
    })
    expect(read).toMatchObject([{ content: 'hello', senderId: customer.id, receiverId: shop.id }])
    expect(await actionsOn(app, `user ${customer.id}`)).toEqual([by(admin, 'see')])
    await write('again')
    await answer(app, roomId, admin, 'We look at it.')
    await expect
      .poll(() => live.messages.map(({ content }) => content))
      .toEqual(['again', 'We look at it.'])

    const upTo = read[0]?.id ?? 0
    await write('and again')
    await app.call(inbox.markConversationRead, { as: admin, params: { roomId }, body: { upTo } })
    expect(await open(app, admin, roomId)).toMatchObject({ unread: 1 })
  })

  test('is followed by nobody else: not with the shop’s token, not by a teacher or a stranger', async () => {
    const { roomId } = await aRequest(app)
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
    await expectCode(open(app, admin, 'room_998_999'), 'room_not_found')
    const garbage = await app.request('GET', '/api/office/admin/conversations/room_3_1', {
      as: admin,
    })
    expect(garbage.status).toBe(400)
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
    await expect(answer(app, roomId, late, 'me too')).rejects.toMatchObject(
      doneBefore(takenBy?.name ?? ''),
    )
    await expect(close(roomId, 2 ** 30, late)).rejects.toMatchObject(
      doneBefore(takenBy?.name ?? ''),
    )
    await expect(handBack(roomId, late)).rejects.toMatchObject(doneBefore(takenBy?.name ?? ''))

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
    expect(
      (await actionsOn(app, `conversation ${customer.id}`)).map(({ action }) => action),
    ).toEqual(['close conversation'])
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
    const key = { userId: admin.id, key: 'merge' }
    await mergeAccounts(app.deps, { ...ids, actor: 'command line', reason: 'family', key })
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
  const call = (name: string, by: Person, ...typed: string[]) =>
    callByCommand(app, name, `roomId=${roomId}`, `--as=${by.email}`, ...typed)
  const taken = await call('takeConversation', admin, 'from=null')
  expect(taken.takenBy).toMatchObject({ id: admin.id })
  await call('answerConversation', admin, 'content=We look at it.')
  await expect(call('handBackConversation', other)).rejects.toThrow(/Nadia Gharbi/)
  expect((await call('handBackConversation', admin)).takenBy).toBeNull()
  await expect(call('closeConversation', admin, 'upTo=1')).rejects.toThrow()
  expect(await actionsOn(app, `conversation ${customer.id}`)).toEqual(
    ['take conversation', 'answer message', 'hand back conversation'].map((action) => ({
      actor: 'command line',
      action,
    })),
  )
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
    expect((await actionsOn(app, `canned answer ${made.id}`)).map(({ action }) => action)).toEqual([
      'add canned answer',
      'retire canned answer',
      'restore canned answer',
    ])
    const none = app.call(canned.changeCannedAnswer, {
      as: admin,
      params: { id: 999_999 },
      body: { ...form, isRetired: false, revision: 1 },
    })
    await expectCode(none, 'canned_answer_not_found')
  })

  test('require Arabic, and allow no placeholder but the name', async () => {
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
