import * as canned from '../../contract/office-canned-answers.ts'
import * as contract from '../../contract/office-conversations.ts'
import { messageContent } from '../../rules/room.ts'
import type { Deps } from '../deps.ts'
import { pageOf } from '../http/page-of.ts'
import { type Route, route, type User } from '../http/route.ts'
import { logSight } from '../staff-log/staff-log.ts'
import { addCannedAnswer, changeCannedAnswer, readCannedAnswers } from './canned-answers.ts'
import { findConversations, readConversation } from './conversations.ts'
import {
  answerConversation,
  closeConversation,
  type Handling,
  handBackConversation,
  takeConversation,
} from './hold.ts'
import { noteRead, readMessages } from './messages.ts'
import { presentMessage } from './present.ts'

interface At {
  readonly roomId: string
  readonly user: User
  readonly deps: Deps
}

/** The member of staff who acts on a conversation. */
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

/** Applies an action to a conversation; returns its new state. */
async function handle({ roomId, user, deps }: At, act: (by: Handling) => Promise<void>) {
  await act({ roomId, ...handlerOf(user) })
  return readConversation(deps.database.kysely, roomId, user.id)
}

/** What an administrator does in the common inbox and in their own conversations. */
export const conversationRoutes: Route[] = [
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
]
