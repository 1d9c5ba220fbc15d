import * as s from 'superstruct'
import { LANGUAGES } from '../rules/languages.ts'
import { defineCall } from './call.ts'
import { ClientId, Content, Message, MessageSpan, RoomId } from './chat.ts'
import { id, moment, nothing, pageOf, pageQuery, searchedText } from './values.ts'

/**
 * `blocked`: the customer cannot log in to read an answer; `closed`: the account was merged into
 * another.
 */
export const CUSTOMER_STATES = ['active', 'blocked', 'closed'] as const

/** A conversation of the common inbox, or of the calling administrator alone. */
export const Conversation = s.type({
  roomId: s.string(),
  customer: s.type({
    id: id(),
    name: s.string(),
    firstName: s.string(),
    language: s.enums(LANGUAGES),
    state: s.enums(CUSTOMER_STATES),
  }),
  /** The account whose messages are the shop's: the inbox's, or the administrator's own. */
  officeId: id(),
  /** Whether it belongs to the common inbox, from which any administrator may take it. */
  isShared: s.boolean(),
  /** The administrator who has taken it from there. */
  takenBy: s.nullable(s.type({ id: id(), name: s.string(), since: moment() })),
  /** Since when its customer has been waiting for an answer; null: the shop has written last. */
  waitingSince: s.nullable(moment()),
  /** The number of the customer's messages that no administrator has read. */
  unread: s.number(),
  last: s.type({
    id: id(),
    /** The beginning of its text. */
    text: s.string(),
    at: moment(),
    isCustomers: s.boolean(),
    /** The administrator who wrote it for the shop. */
    author: s.nullable(s.string()),
  }),
})
export type Conversation = s.Infer<typeof Conversation>

/** `mine`: those that the calling administrator has taken, and their own. */
export const CONVERSATION_FILTERS = ['waiting', 'mine', 'taken'] as const

/**
 * The conversations: first those that wait for an answer, longest waiting first, then the others,
 * newest message first.
 */
export const listConversations = defineCall('GET /office/admin/conversations', 'admin', {
  query: s.object({
    ...pageQuery,
    /** A part of the customer's name in Arabic or Latin letters, e-mail address or phone number. */
    q: s.optional(searchedText()),
    show: s.optional(s.enums(CONVERSATION_FILTERS)),
    /** The conversations of one customer. */
    customer: s.optional(id()),
  }),
  result: pageOf(Conversation),
})

const params = s.object({ roomId: RoomId })

/** One conversation. Opening it is logged as a view of its customer's data. */
export const getConversation = defineCall('GET /office/admin/conversations/:roomId', 'admin', {
  params,
  result: Conversation,
  errors: ['forbidden', 'room_not_found'],
})

/**
 * The messages of a conversation, in the form in which the chat's own call returns them to a room's
 * members.
 */
export const listConversationMessages = defineCall(
  'GET /office/admin/conversations/:roomId/messages',
  'admin',
  {
    params,
    query: MessageSpan,
    result: s.array(Message),
    errors: ['forbidden', 'room_not_found'],
  },
)

/**
 * Answers on behalf of the shop, once for each `clientId`. Answering a conversation that is not
 * taken takes it; `done_before` if another administrator has taken it.
 */
export const answerConversation = defineCall(
  'POST /office/admin/conversations/:roomId/answers',
  'admin',
  {
    params,
    body: s.object({ content: Content, clientId: ClientId }),
    result: Message,
    errors: [
      'forbidden',
      'room_not_found',
      'done_before',
      'idempotency_conflict',
      'too_many_requests',
    ],
  },
)

/**
 * Takes a conversation, or takes it over from the administrator who had it when it was viewed;
 * `done_before` if that has changed.
 */
export const takeConversation = defineCall(
  'POST /office/admin/conversations/:roomId/take',
  'admin',
  {
    params,
    body: s.object({ from: s.nullable(id()) }),
    result: Conversation,
    errors: ['forbidden', 'room_not_found', 'done_before'],
  },
)

/**
 * Returns a conversation to the inbox, for another administrator; `done_before` if another
 * administrator has taken it over.
 */
export const handBackConversation = defineCall(
  'POST /office/admin/conversations/:roomId/hand-back',
  'admin',
  {
    params,
    result: Conversation,
    errors: ['forbidden', 'room_not_found', 'done_before'],
  },
)

/** Closes a conversation that needs no answer: it does not wait until its customer writes again. */
export const closeConversation = defineCall(
  'POST /office/admin/conversations/:roomId/close',
  'admin',
  {
    params,
    /** The newest message that was viewed. */
    body: s.object({ upTo: id() }),
    result: Conversation,
    errors: ['forbidden', 'room_not_found', 'done_before', 'conversation_went_on'],
  },
)

/** Records that the shop has read a conversation up to a message. */
export const markConversationRead = defineCall(
  'POST /office/admin/conversations/:roomId/read',
  'admin',
  {
    params,
    body: s.object({ upTo: id() }),
    result: nothing(),
    errors: ['forbidden', 'room_not_found'],
  },
)
