import { parseArgs } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { listMessages, listRoomSummaries } from '../../src/contract/chat.ts'
import { chatCommands } from '../../src/server/office/chat.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { aConversation, follow, sendChat } from '../support/chat.ts'
import { SILENT } from '../support/silent.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  return app.stop
})

const [chat] = chatCommands
function office(...typed: string[]) {
  const { values, positionals } = parseArgs({
    args: typed,
    options: { as: { type: 'string' } },
    allowPositionals: true,
  })
  if (!chat) throw new Error('there is no command')
  return chat.run(app.deps, { args: positionals, options: { ...values } }, SILENT)
}

describe('office chat', () => {
  test('lists, shows and answers, and the answer arrives live', async () => {
    expect((await office()).lines).toEqual(['There are no conversations.'])
    const { customer, admin, room } = await aConversation(app)
    const answered = await aConversation(app)
    await sendChat(app, customer, admin, 'سؤال\nمن سطرين')
    await sendChat(app, answered.admin, answered.customer, 'later, but read')
    const list = await office()
    expect(list.lines[1]).toMatch(new RegExp(`^${room} +1 .*${admin.email}.*سؤال من سطرين`))
    expect(list.json).toMatchObject([
      { room, unread: 1, customer: { id: customer.id } },
      { room: answered.room, unread: 0 },
    ])
    for (const name of [room, String(customer.id), `#${admin.id}`]) {
      expect((await office(name)).json).toMatchObject([{ senderId: customer.id }])
    }

    const live = await follow(app.url, customer.token, room)
    const { lines, json } = await office(room, '--as', admin.email.toUpperCase(), '  جواب ')
    expect(lines[0]).toContain('Sent to')
    await expect.poll(() => live.messages).toMatchObject([{ ...(json as object), content: 'جواب' }])
    const [summary] = await app.call(listRoomSummaries, { as: admin, params: { userId: admin.id } })
    expect(summary?.unreadCount).toBe(0)
    const messages = await app.call(listMessages, {
      as: customer,
      params: { roomId: room },
      query: {},
    })
    expect(messages).toHaveLength(2)
  })

  test('explains errors, with exit code 1 or 2', async () => {
    const { customer, admin, room } = await aConversation(app)
    const wrong: [number, string[]][] = [
      [2, ['nonsense']],
      [2, [room, 'a text alone']],
      [2, [room, '--as', admin.email]],
      [2, [room, '--as', admin.email, '  ']],
      [2, [room, '--as', admin.email, 'x'.repeat(4001)]],
      [1, ['room_1_999999']],
      [1, ['999999']],
      [1, [room, '--as', customer.email, 'not I']],
      [1, [room, '--as', 'nobody@karras.test', 'nobody']],
    ]
    for (const [exit, typed] of wrong) {
      await expect(office(...typed), typed.join(' ')).rejects.toMatchObject({ exit })
    }
  })
})
