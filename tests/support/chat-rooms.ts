import { listMessages, listRoomSummaries, openRoom, sendMessage } from '../../src/contract/chat.ts'
import { roomId } from '../../src/rules/room.ts'
import type { RefusedCall, TestApp } from './app.ts'
import type { Person } from './people.ts'

// The calls of the chat.

export async function open(app: TestApp, as: Person, other: Person, at = app): Promise<string> {
  const query = { user1Id: as.id, user2Id: other.id }
  return (await at.call(openRoom, { as, query })).roomId
}

export function send(
  app: TestApp,
  as: Person,
  to: Person,
  content: string,
  more: object = {},
  at = app,
) {
  const body = { senderId: as.id, receiverId: to.id, content, ...more }
  return at.call(sendMessage, { as, params: { roomId: roomId(as.id, to.id) }, body })
}

export const read = (app: TestApp, as: Person, roomId: string, query = {}) =>
  app.call(listMessages, { as, params: { roomId }, query })
export const summariesOf = (app: TestApp, as: Person) =>
  app.call(listRoomSummaries, { as, params: { userId: as.id } })

export const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: RefusedCall) => error.code,
  )
