import * as calls from '../../contract/chat.ts'
import { messageContent } from '../../rules/room.ts'
import { fault } from '../http/errors.ts'
import { requireSelf } from '../http/identity.ts'
import { type Route, route } from '../http/route.ts'
import { answerConversation } from './hold.ts'
import { shopName } from './inbox.ts'
import { noteRead, readMessages } from './messages.ts'
import { presentMessage, presentSummary } from './present.ts'
import { ensureRoom, readAdministrators, readRooms, readSummaries, requireMember } from './rooms.ts'
import { storeMessage } from './send.ts'

/** Conversations: only those of the caller, even for administrators. */
export const chatRoutes: Route[] = [
  route(calls.listRooms, async ({ input, user, deps }) => {
    requireSelf(user, input.params.userId)
    return readRooms(deps.database.kysely, user.id)
  }),
  route(calls.listRoomSummaries, async ({ input, user, deps }) => {
    requireSelf(user, input.params.userId)
    const shop = await shopName(deps.database.kysely)
    const rows = await readSummaries(deps.database.kysely, user.id)
    return rows.map((row) => presentSummary(row, shop))
  }),
  route(calls.listMessages, async ({ input, user, deps }) => {
    const { kysely } = deps.database
    const { roomId } = await requireMember(kysely, input.params.roomId, user.id)
    return (await readMessages(kysely, roomId, input.query)).map(presentMessage)
  }),
  route(calls.sendMessage, async ({ input: { params, body }, user, deps, limits }) => {
    requireSelf(user, body.senderId)
    const room = await requireMember(deps.database.kysely, params.roomId, user.id)
    if (body.receiverId !== room.otherId) throw fault('forbidden')
    if (body.roomId && body.roomId !== room.roomId) throw fault('forbidden')
    const { roomId, otherId } = room
    // The contract refuses blank and over-long texts.
    const content = messageContent(body.content) ?? ''
    const message = { roomId, content, clientId: body.clientId ?? null }
    const allowance = limits.chatMessages
    if (user.role === 'ADMIN') {
      const by = { userId: user.id, actor: user.actor }
      return presentMessage(await answerConversation(deps, { ...message, ...by }, allowance))
    }
    const draft = { ...message, senderId: user.id, receiverId: otherId }
    return presentMessage(await storeMessage(deps.database, draft, { allowance, now: deps.now() }))
  }),
  route(calls.openRoom, async ({ input, user, deps }) => {
    const { user1Id, user2Id } = input.query
    if (user.id !== user1Id && user.id !== user2Id) throw fault('forbidden')
    return { roomId: await ensureRoom(deps.database.kysely, user1Id, user2Id) }
  }),
  route(calls.markRead, async ({ input, user, deps }) => {
    const { kysely } = deps.database
    const room = await requireMember(kysely, input.params.roomId, user.id)
    await noteRead(kysely, room, { userId: user.id, upTo: input.body.upTo, now: deps.now() })
  }),
  route(calls.listAdministrators, ({ deps }) => readAdministrators(deps.database.kysely)),
]
