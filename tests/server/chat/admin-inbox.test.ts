import { beforeAll, describe, expect, test } from 'vitest'
import { openRoom } from '../../../src/contract/chat.ts'
import * as inbox from '../../../src/contract/office-conversations.ts'
import { answer, aRequest, by, list, open, roomsOf, take } from '../../support/admin/inbox.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { sendChat } from '../../support/chat.ts'
import { callByCommand } from '../../support/operator.ts'
import type { Person } from '../../support/people.ts'
import { actionsOn } from '../../support/staff-log.ts'

let app: TestApp
let admin: Person
let other: Person
beforeAll(async () => {
  app = await testApp()
  admin = await app.anOfficeAdministrator({ firstName: 'Nadia', lastName: 'Gharbi' })
  other = await app.anOfficeAdministrator({ firstName: 'Sami', lastName: 'Trabelsi' })
  return app.stop
})

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
