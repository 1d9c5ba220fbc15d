import * as s from 'superstruct'
import { isBlank, withoutOverrides } from '../rules/pasted-text.ts'
import { messageContent, roomMembers } from '../rules/room.ts'
import { defineCall } from './call.ts'
import {
  checked,
  extra,
  fromText,
  id,
  idOrNone,
  nothing,
  ours,
  saidMoment,
  text,
  textOrNone,
  whole,
} from './values.ts'

/** How many messages of a room one call reads, by default and at most. */
export const CHAT_PAGE_SIZE = 50

export const CHAT_PAGE_SIZE_MAX = 100

/** `room_{smallerUserId}_{largerUserId}`. */
export const RoomId = checked(text(1, 64), (value) =>
  roomMembers(value) === null ? 'pattern' : null,
)

/** The text of a message. */
export const Content = checked(fromText(s.string(), withoutOverrides), (value) => {
  if (isBlank(value)) return 'required'
  return messageContent(value) === null ? 'maxLength' : null
})

/** A sender's own id for a message, by which a message sent twice is stored only once. */
export const ClientId = checked(s.string(), (value) =>
  /^[\w-]{8,64}$/.test(value) ? null : 'pattern',
)

/**
 * A stored message. The ids in a room ascend in the order in which its messages became visible, so
 * that "after this id" misses none; other backends may have none.
 */
export const Message = s.type({
  id: idOrNone(),
  senderId: id(),
  receiverId: idOrNone(),
  roomId: s.string(),
  /** The name of the administrator who wrote it on behalf of the shop. */
  author: extra(s.nullable(s.string())),
  content: s.string(),
  timestamp: saidMoment(),
  clientId: extra(s.nullable(s.string())),
})
export type Message = s.Infer<typeof Message>

/** The ids of a user's rooms, the one with the newest message first. */
export const listRooms = defineCall('GET /messages/rooms/:userId', 'user', {
  params: s.object({ userId: id() }),
  result: s.array(s.string()),
  errors: ['forbidden'],
})

/** A room in the list: its other member, its last message, and how many are unread. */
export const RoomSummary = s.type({
  roomId: s.string(),
  other: s.type({ id: id(), name: s.string() }),
  lastMessage: s.nullable(Message),
  unreadCount: s.number(),
})
export type RoomSummary = s.Infer<typeof RoomSummary>

/** The same rooms with the data that the list shows; other backends may lack this call. */
export const listRoomSummaries = defineCall('GET /messages/rooms/:userId/summaries', 'user', {
  feature: 'chat',
  params: s.object({ userId: id() }),
  result: s.array(RoomSummary),
  errors: ['forbidden'],
})

/** Which messages of a room to read: ids, and how many. */
export const MessageSpan = s.object({
  before: s.optional(id()),
  after: s.optional(id()),
  limit: s.optional(whole(1, CHAT_PAGE_SIZE_MAX)),
})

/**
 * Messages of a room, oldest first: the newest ones, or the newest before the id `before`, or the
 * oldest after the id `after`. Both members of the room may read them.
 */
export const listMessages = defineCall('GET /messages/room/:roomId/messages', 'user', {
  params: s.object({ roomId: RoomId }),
  query: MessageSpan,
  result: s.array(Message),
  errors: ['forbidden', 'room_not_found'],
})

/**
 * Stores a message and returns it; the only way to write. For a `clientId` that the sender has used
 * before, it returns the stored message, or `idempotency_conflict` if the text differs.
 */
export const sendMessage = defineCall('POST /messages/room/:roomId/send', 'user', {
  params: s.object({ roomId: RoomId }),
  body: s.object({
    senderId: id(),
    receiverId: id(),
    roomId: s.optional(s.nullable(RoomId)),
    content: Content,
    clientId: s.optional(s.nullable(ClientId)),
  }),
  result: Message,
  errors: ['forbidden', 'room_not_found', 'idempotency_conflict', 'too_many_requests'],
})

/**
 * Creates or gets the room of a customer and an administrator, one of whom is the caller, or of a
 * customer and the shop.
 */
export const openRoom = defineCall('POST /messages/room', 'user', {
  query: s.object({ user1Id: id(), user2Id: id() }),
  // Nobody reads it: the room's id is known from its members.
  result: ours(s.type({ roomId: s.string() }), { roomId: '' }),
  errors: ['forbidden', 'user_not_found'],
})

/** Records that the caller has read a room up to a message. */
export const markRead = defineCall('POST /messages/room/:roomId/read', 'user', {
  feature: 'chat',
  params: s.object({ roomId: RoomId }),
  body: s.object({ upTo: id() }),
  result: nothing(),
  errors: ['forbidden', 'room_not_found'],
})

/** An administrator whom a customer can write to; the shop's common inbox, if any, comes first. */
export const Administrator = s.type({
  id: id(),
  username: textOrNone(),
  isShop: extra(s.boolean()),
})
export type Administrator = s.Infer<typeof Administrator>
export const listAdministrators = defineCall('GET /messages/users/admins', 'user', {
  result: s.array(Administrator),
})

/** The STOMP topic on which a room's messages arrive. */
export const roomTopic = (roomId: string) => `/topic/room/${roomId}`
export const roomDestination = (roomId: string) => `/app/room/${roomId}/send`

/** The WebSocket's path, and the name of the query parameter with the token. */
export const SOCKET_PATH = '/ws'
export const SOCKET_TOKEN = 'access_token'
