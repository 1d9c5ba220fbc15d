import * as calls from '../../contract/chat.ts'
import { listDocumentQuestions } from '../../contract/document-questions.ts'
import * as canned from '../../contract/office-canned-answers.ts'
import * as contract from '../../contract/office-conversations.ts'
import { messageContent } from '../../rules/room.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { requireSelf } from '../http/identity.ts'
import { pageOf, type Route, route, type User } from '../http/route.ts'
import { logSight } from '../staff-log/staff-log.ts'
import { addCannedAnswer, changeCannedAnswer, readCannedAnswers } from './canned-answers.ts'
import {
  answerConversation,
  closeConversation,
  findConversations,
  type Handling,
  handBackConversation,
  readConversation,
  takeConversation,
} from './conversations.ts'
import { questionsAbout } from './document-questions.ts'
import { noteRead, presentMessage, readMessages, storeMessage } from './messages.ts'
import {
  ensureRoom,
  presentSummary,
  readAdministrators,
  readRooms,
  readSummaries,
  requireMember,
  shopName,
} from './rooms.ts'

interface At {
  readonly roomId: string
  readonly user: User
  readonly deps: Deps
}

const handlerOf = ({ id, actor, inPlaceOf }: User) => ({
  userId: id,
  actor,
  ...(inPlaceOf && { reason: `as ${inPlaceOf}` }),
})

/** Reads the conversation for a member of staff who opens it; the log records who saw it. */
async function look({ roomId, user, deps }: At) {
  const conversation = await readConversation(deps.database.kysely, roomId, user.id)
  await logSight(deps, user.actor, conversation.customer.id)
  return conversation
}

async function handle({ roomId, user, deps }: At, act: (by: Handling) => Promise<void>) {
  await act({ roomId, ...handlerOf(user) })
  return readConversation(deps.database.kysely, roomId, user.id)
}

const QUESTIONS_PAGE = 10

export const chatRoutes: Route[] = [
  // Only the caller's own conversations, even for administrators.
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
    const count = () => limits.bound('chatInDay', user.id)
    const sending = { allowance, now: deps.now(), count }
    return presentMessage(await storeMessage(deps.database, draft, sending))
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

  // The common inbox, and the administrator's own conversations.
  route(contract.listConversations, async ({ input, user, deps }) => {
    const { conversations, ...at } = await findConversations(deps.database, user.id, input.query)
    return pageOf(conversations, at)
  }),
  route(contract.getConversation, ({ input, user, deps }) =>
    look({ roomId: input.params.roomId, user, deps }),
  ),
  route(contract.listConversationMessages, async ({ input, user, deps }) => {
    const { roomId } = await look({ roomId: input.params.roomId, user, deps })
    return (await readMessages(deps.database.kysely, roomId, input.query)).map(presentMessage)
  }),
  route(contract.answerConversation, async ({ input: { params, body }, user, deps, limits }) => {
    const answer = {
      roomId: params.roomId,
      ...handlerOf(user),
      // The contract refuses blank and over-long texts.
      content: messageContent(body.content) ?? '',
      clientId: body.clientId,
    }
    return presentMessage(await answerConversation(deps, answer, limits.chatMessages))
  }),
  route(contract.takeConversation, ({ input: { params, body }, user, deps }) =>
    handle({ roomId: params.roomId, user, deps }, (by) => takeConversation(deps, by, body.from)),
  ),
  route(contract.handBackConversation, ({ input, user, deps }) =>
    handle({ roomId: input.params.roomId, user, deps }, (by) => handBackConversation(deps, by)),
  ),
  route(contract.closeConversation, ({ input: { params, body }, user, deps }) =>
    handle({ roomId: params.roomId, user, deps }, (by) => closeConversation(deps, by, body.upTo)),
  ),
  route(contract.markConversationRead, async ({ input: { params, body }, user, deps }) => {
    const { kysely } = deps.database
    const { roomId, officeId, last } = await readConversation(kysely, params.roomId, user.id)
    const reader = { userId: officeId, upTo: body.upTo, now: deps.now() }
    await noteRead(kysely, { roomId, lastMessageId: last.id }, reader)
  }),

  route(canned.listCannedAnswers, ({ deps }) => readCannedAnswers(deps.database.kysely)),
  route(canned.addCannedAnswer, ({ input, user, deps }) =>
    addCannedAnswer(deps.database, input.body, user.actor),
  ),
  route(canned.changeCannedAnswer, ({ input: { params, body }, user, deps }) =>
    changeCannedAnswer(deps, { ...params, ...body }, user.actor),
  ),

  route(listDocumentQuestions, async ({ input: { query }, user, deps }) => {
    const { page = 0, size = QUESTIONS_PAGE } = query
    const at = { page, size }
    const { questions, total } = await questionsAbout(deps.database.kysely, user.teacherId, at)
    return pageOf(questions, { total, ...at })
  }),
]
