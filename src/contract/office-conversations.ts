import {
  array,
  boolean,
  enums,
  type Infer,
  nullable,
  number,
  object,
  optional,
  string,
  type,
} from 'superstruct'
import { SEARCH_MAX_LENGTH } from '../rules/admin-search.ts'
import { LANGUAGES } from '../rules/languages.ts'
import { defineCall } from './call.ts'
import { ClientId, Content, Message, MessageSpan, RoomId } from './chat.ts'
import { pageOf, pageQuery } from './pages.ts'
import { id, moment, nothing, text } from './values.ts'

/** `blocked` cannot log in to read an answer; `closed`: another account has taken over what it had. */
export const CUSTOMER_STATES = ['active', 'blocked', 'closed'] as const

/** A conversation of the common inbox, or of the administrator who asks alone. */
export const Conversation = type({
  roomId: string(),
  customer: type({
    id: id(),
    name: string(),
    firstName: string(),
    language: enums(LANGUAGES),
    state: enums(CUSTOMER_STATES),
  }),
  /** Whose messages are the shop's: the inbox's account, or the administrator's own. */
  officeId: id(),
  /** It belongs to the common inbox, where anybody may take it. */
  isShared: boolean(),
  /** Who of the shop has taken it from there. */
  takenBy: nullable(type({ id: id(), name: string(), since: moment() })),
  /** Since when its customer waits for an answer; null: the last word is the shop's. */
  waitingSince: nullable(moment()),
  /** Messages of the customer that nobody of the shop has read. */
  unread: number(),
  last: type({
    id: id(),
    /** The beginning of its text. */
    text: string(),
    at: moment(),
    isCustomers: boolean(),
    /** Who wrote it for the shop. */
    author: nullable(string()),
  }),
})
export type Conversation = Infer<typeof Conversation>

/** `mine`: those that the asking administrator has taken, and their own. */
export const CONVERSATION_FILTERS = ['waiting', 'mine', 'taken'] as const

/** Who has waited longest for an answer first, then the others, the newest message first. */
export const listConversations = defineCall({
  method: 'GET',
  path: '/office/admin/conversations',
  caller: 'admin',
  query: object({
    ...pageQuery,
    /** A part of the customer's name in Arabic or Latin letters, e-mail address or phone number. */
    q: optional(text(0, SEARCH_MAX_LENGTH)),
    show: optional(enums(CONVERSATION_FILTERS)),
    /** The conversations of one customer. */
    customer: optional(id()),
  }),
  result: pageOf(Conversation),
})

const params = object({ roomId: RoomId })

/** One conversation. That it was opened is written to the log, as a look at its customer. */
export const getConversation = defineCall({
  method: 'GET',
  path: '/office/admin/conversations/:roomId',
  caller: 'admin',
  params,
  result: Conversation,
  errors: ['forbidden', 'room_not_found'],
})

/** Its messages, as the chat's own call gives them to the two who share a room. */
export const listConversationMessages = defineCall({
  method: 'GET',
  path: '/office/admin/conversations/:roomId/messages',
  caller: 'admin',
  params,
  query: MessageSpan,
  result: array(Message),
  errors: ['forbidden', 'room_not_found'],
})

/**
 * Answers for the shop, once for each `clientId`. Whoever answers a conversation that nobody has taken
 * takes it; `done_before` where somebody else has.
 */
export const answerConversation = defineCall({
  method: 'POST',
  path: '/office/admin/conversations/:roomId/answers',
  caller: 'admin',
  params,
  body: object({ content: Content, clientId: ClientId }),
  result: Message,
  errors: [
    'forbidden',
    'room_not_found',
    'done_before',
    'idempotency_conflict',
    'too_many_requests',
  ],
})

/** Takes it, or takes it over from who had it when it was looked at; `done_before` where that changed. */
export const takeConversation = defineCall({
  method: 'POST',
  path: '/office/admin/conversations/:roomId/take',
  caller: 'admin',
  params,
  body: object({ from: nullable(id()) }),
  result: Conversation,
  errors: ['forbidden', 'room_not_found', 'done_before'],
})

/** Gives it back to the inbox, for whoever is next; `done_before` where somebody else has it by now. */
export const handBackConversation = defineCall({
  method: 'POST',
  path: '/office/admin/conversations/:roomId/hand-back',
  caller: 'admin',
  params,
  result: Conversation,
  errors: ['forbidden', 'room_not_found', 'done_before'],
})

/** It needs no answer: it waits no longer, until its customer writes again. */
export const closeConversation = defineCall({
  method: 'POST',
  path: '/office/admin/conversations/:roomId/close',
  caller: 'admin',
  params,
  /** The newest message that was looked at. */
  body: object({ upTo: id() }),
  result: Conversation,
  errors: ['forbidden', 'room_not_found', 'done_before', 'conversation_went_on'],
})

/** Notes that the shop has read it up to a message. */
export const markConversationRead = defineCall({
  method: 'POST',
  path: '/office/admin/conversations/:roomId/read',
  caller: 'admin',
  params,
  body: object({ upTo: id() }),
  result: nothing(),
  errors: ['forbidden', 'room_not_found'],
})
