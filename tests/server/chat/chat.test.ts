import { beforeAll, describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../../src/rules/durations.ts'
import { roomId } from '../../../src/rules/room.ts'
import { ALLOWANCES, CHAT_MESSAGES_PER_MINUTE } from '../../../src/server/http/rate-limits.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { open, read, refusal, send, summariesOf } from '../../support/chat-rooms.ts'
import type { Person } from '../../support/people.ts'

let app: TestApp
let customer: Person
let admin: Person
let room: string

beforeAll(async () => {
  const chatMessagesOfUser = { max: 1000, windowMs: MINUTE_MS }
  app = await testApp({ allowances: { ...ALLOWANCES, chatMessagesOfUser } })
  customer = await app.aCustomer()
  admin = await app.anAdministrator()
  room = await open(app, customer, admin)
  return app.stop
})

describe('a message', () => {
  test('is stored trimmed and read by both, oldest first, in pages', async () => {
    const other = await app.aCustomer()
    const id = await open(app, other, admin)
    const sent = [
      await send(app, other, admin, '  مرحبا \n'),
      await send(app, admin, other, 'أهلا'),
    ]
    for (const n of [3, 4, 5]) sent.push(await send(app, other, admin, `message ${n}`))
    expect(sent[0]).toMatchObject({ senderId: other.id, receiverId: admin.id, roomId: id })
    expect(sent[0]?.content).toBe('مرحبا')
    expect(Math.abs(Date.parse(sent[0]?.timestamp ?? '') - Date.now())).toBeLessThan(60_000)
    for (const reader of [other, admin]) expect(await read(app, reader, id)).toEqual(sent)

    const [, second, , fourth] = sent
    expect(await read(app, other, id, { limit: 2 })).toEqual(sent.slice(3))
    expect(await read(app, other, id, { before: fourth?.id, limit: 2 })).toEqual(sent.slice(1, 3))
    expect(await read(app, other, id, { after: second?.id, limit: 2 })).toEqual(sent.slice(2, 4))
    expect(await read(app, other, id, { after: sent[4]?.id })).toEqual([])
    expect(await refusal(read(app, other, id, { limit: 101 }))).toBe('invalid_input')
  })

  test('has a length from 1 to the limit, in characters as people count them', async () => {
    const longest = '😀'.repeat(4000)
    expect((await send(app, customer, admin, longest)).content).toBe(longest)
    expect(await refusal(send(app, customer, admin, `${longest}x`))).toBe('invalid_input')
    expect(await refusal(send(app, customer, admin, ' \n\t\u00a0 '))).toBe('invalid_input')
    expect(await refusal(send(app, customer, admin, 'nul\0'))).toBe('invalid_input')
  })

  test('goes from the caller to the other member, in the room of the path', async () => {
    const other = await app.aCustomer()
    const theirs = await open(app, other, admin)
    expect(await refusal(send(app, customer, admin, 'x', { senderId: admin.id }))).toBe('forbidden')
    expect(await refusal(send(app, customer, admin, 'x', { receiverId: other.id }))).toBe(
      'forbidden',
    )
    expect(await refusal(send(app, customer, admin, 'x', { receiverId: customer.id }))).toBe(
      'forbidden',
    )
    expect(await refusal(send(app, customer, admin, 'x', { roomId: theirs }))).toBe('forbidden')
    expect((await send(app, customer, admin, 'x', { roomId: room })).roomId).toBe(room)
    expect((await send(app, customer, admin, 'x', { roomId: null })).roomId).toBe(room)
  })

  test('sent again with the same client id is stored once', async () => {
    const name = { clientId: 'a-name-of-mine' }
    const before = await read(app, customer, room)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send(app, customer, admin, 'once', name)),
    )
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    expect(await send(app, customer, admin, ' once ', name)).toEqual(answers[0])
    expect(await read(app, customer, room)).toHaveLength(before.length + 1)
    expect(await refusal(send(app, customer, admin, 'twice', name))).toBe('idempotency_conflict')
    // Another sender may use the same client id.
    expect((await send(app, admin, customer, 'once', name)).id).not.toBe(answers[0]?.id)
  })

  test('many at once from both leave the room at its newest, in the order of their commits', async () => {
    const other = await app.aCustomer()
    const id = await open(app, other, admin)
    const seen: number[] = []
    const stop = await app.deps.listener.onNotify('chat', (payload) => {
      const [message, room] = payload.split(' ')
      if (room === id) seen.push(Number(message))
    })
    const sent = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        n % 2 === 0 ? send(app, other, admin, `${n}`) : send(app, admin, other, `${n}`),
      ),
    )
    const ids = sent.map((message) => message.id).sort((a, b) => a - b)
    await expect.poll(() => seen.length).toBe(60)
    stop()
    expect(seen).toEqual(ids)
    const [summary] = await summariesOf(app, other)
    expect(summary?.lastMessage?.id).toBe(ids.at(-1))
  })
})

describe('thirty messages a minute', () => {
  test('are accepted, then 429 with the time to wait, over two instances and any burst', async () => {
    const strict = await testApp()
    const second = await testApp({
      deps: { database: strict.deps.database, listener: strict.deps.listener },
    })
    const me = await strict.aCustomer()
    const to = await strict.anAdministrator()
    await open(app, me, to, strict)
    const outcomes = await Promise.all(
      Array.from({ length: CHAT_MESSAGES_PER_MINUTE + 10 }, (_, n) =>
        refusal(send(app, me, to, `${n}`, {}, n % 2 === 0 ? strict : second)),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(CHAT_MESSAGES_PER_MINUTE)
    expect(outcomes.filter((outcome) => outcome === 'too_many_requests')).toHaveLength(10)
    const answer = await second.request('POST', `/api/messages/room/${roomId(me.id, to.id)}/send`, {
      as: me,
      body: { senderId: me.id, receiverId: to.id, content: 'x' },
    })
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    // The other user has a separate count.
    expect(await refusal(send(app, to, me, 'still', {}, strict))).toBe('done')
    strict.travel(MINUTE_MS + 1000)
    expect(await refusal(send(app, me, to, 'later', {}, strict))).toBe('done')
  })
})
