import { sql } from 'kysely'
import { previewText } from '../../rules/preview-text.ts'
import { CHAT_MESSAGE_MAX_LENGTH, messageContent, roomMembers } from '../../rules/room.ts'
import { foldEmail } from '../accounts/accounts.ts'
import {
  answerConversation,
  type Handling,
  type MessageRow,
  readMessages,
  shopName,
} from '../chat/chat.ts'
import type { Deps } from '../deps.ts'
import { ALLOWANCES } from '../http/rate-limits.ts'
import { COMMAND_LINE } from '../staff-log/staff-log.ts'
import { type Command, type Outcome, readId, refusal, wrongUsage } from './command.ts'
import { moment, table } from './print.ts'

const ROOMS_LISTED = 100
const MESSAGES_SHOWN = 100

export interface Conversation {
  id: string
  customerId: number
  administratorId: number
  customer: string
  administrator: string
  administratorEmail: string
  isInbox: boolean
  /** The e-mail address of the administrator who has taken it from the common inbox. */
  takenBy: string | null
  takenById: number | null
  lastMessageId: number | null
  unread: number
  content: string | null
  createdAt: Date | null
}

export const chatCommands: readonly Command[] = [
  {
    name: 'chat',
    usage: '[room] [text]',
    summary: 'Lists the conversations, shows one, or answers in one.',
    details: [
      'chat                      the conversations, those with unread messages first',
      `chat room_1_3             its newest ${MESSAGES_SHOWN} messages; a user's id does where they have one`,
      'chat room_1_3 --as admin@shop.example "We will look at it."',
      '                          answers as the administrator of that conversation; one with the',
      '                          shop is anybody’s: whoever answers takes it, or takes it over',
    ],
    options: { as: { type: 'string', about: 'the e-mail of the administrator who answers' } },
    async run(deps, { args: [room, text], options: { as } }) {
      if (room === undefined) return list(deps)
      const conversation = await findConversation(deps, room)
      if (text === undefined && as === undefined) return show(deps, conversation)
      if (text === undefined || as === undefined) {
        throw wrongUsage('An answer takes --as <e-mail> and the text in quotes.')
      }
      return answer(deps, conversation, String(as), text)
    },
  },
]

async function list(deps: Deps): Promise<Outcome> {
  const found = await conversations(deps, null)
  return {
    lines: table('There are no conversations.', found, {
      room: ({ id }) => id,
      unread: ({ unread }) => unread,
      last: ({ createdAt }) => moment(createdAt),
      administrator: heldBy,
      customer: (one) => `${one.customer}: ${previewText(one.content ?? '').replace(/\s+/g, ' ')}`,
    }),
    json: found.map((one) => ({
      room: one.id,
      unread: one.unread,
      customer: { id: one.customerId, name: one.customer },
      administrator: one.isInbox
        ? null
        : { id: one.administratorId, email: one.administratorEmail },
      takenBy: one.takenBy,
      lastMessage: one.content,
      lastAt: one.createdAt,
    })),
  }
}

async function show(deps: Deps, one: Conversation): Promise<Outcome> {
  const messages = await readMessages(deps.database.kysely, one.id, { limit: MESSAGES_SHOWN })
  const office = one.isInbox ? await shopName(deps.database.kysely) : one.administrator
  const nameOf = ({ senderId, author }: MessageRow) =>
    senderId === one.customerId ? one.customer : (author ?? office)
  return {
    lines: [
      `${one.id}: ${one.customer} (${one.customerId}) and ${heldBy(one)}`,
      ...messages.flatMap((message) => {
        const [first, ...more] = message.content.split('\n')
        return [
          `${moment(message.createdAt)}  ${nameOf(message)}: ${first}`,
          ...more.map((line) => `  ${line}`),
        ]
      }),
    ],
    json: messages.map(({ id, senderId, author, content, createdAt }) => ({
      id,
      senderId,
      author,
      content,
      timestamp: createdAt,
    })),
  }
}

async function answer(deps: Deps, one: Conversation, as: string, text: string): Promise<Outcome> {
  const by = await handlingOf(deps, one, as)
  const content = messageContent(text)
  if (content === null || text.includes('\0')) {
    throw wrongUsage(`The text is empty, or longer than ${CHAT_MESSAGE_MAX_LENGTH} characters.`)
  }
  const { id } = await answerConversation(
    deps,
    { ...by, content, clientId: null, takesOver: true },
    ALLOWANCES.chatMessagesOfUser,
  )
  return { lines: [`Sent to ${one.customer} as message ${id}.`], json: { id } }
}

/** The conversation and the administrator of a command, for the log. */
export async function handlingOf(deps: Deps, one: Conversation, typed: string): Promise<Handling> {
  const email = foldEmail(typed)
  const userId = await handlerId(deps, one, email)
  return { roomId: one.id, userId, actor: COMMAND_LINE, reason: `as ${email}` }
}

/**
 * The id of the administrator with this e-mail address: only the conversation's own administrator,
 * or any for a conversation of the common inbox.
 */
async function handlerId({ database }: Deps, one: Conversation, email: string): Promise<number> {
  if (!one.isInbox) {
    if (email === one.administratorEmail) return one.administratorId
    throw refusal(`The administrator of ${one.id} is ${one.administratorEmail}.`)
  }
  const administrator = await database.kysely
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .where('role', '=', 'ADMIN')
    .where('blockedAt', 'is', null)
    .executeTakeFirst()
  if (administrator) return administrator.id
  throw refusal(`${email} is no administrator who may answer.`)
}

/** The administrator who handles the conversation, as lists show it. */
function heldBy({ isInbox, takenBy, administratorEmail }: Conversation): string {
  if (!isInbox) return administratorEmail
  return takenBy === null ? 'the shop' : `the shop, ${takenBy}`
}

/** The conversation with this room id, or the only conversation of this user. */
export async function findConversation(deps: Deps, typed: string): Promise<Conversation> {
  const named = roomMembers(typed) ? typed : readId(typed, 'room like room_1_3, nor user')
  const found = await conversations(deps, named)
  if (found.length > 1) {
    const rooms = found.map(({ id }) => id).join(', ')
    throw refusal(`User ${typed} has several conversations: ${rooms}.`)
  }
  const [one] = found
  if (!one) throw refusal(`There is no conversation ${typed}.`)
  return one
}

/**
 * All conversations with messages, unread ones first; or only the named room, or the named user's.
 */
async function conversations(
  { database }: Deps,
  named: string | number | null,
): Promise<Conversation[]> {
  const wanted =
    named === null
      ? sql`room.last_message_id IS NOT NULL`
      : typeof named === 'string'
        ? sql`room.id = ${named}`
        : sql`${named} IN (room.customer_id, room.administrator_id)`
  const { rows } = await sql<Conversation>`
    SELECT room.id, room.customer_id, room.administrator_id, admin.email AS administrator_email,
      admin.username AS administrator, admin.role = 'SHOP' AS is_inbox,
      (SELECT taker.email FROM users taker WHERE taker.id = room.taken_by) AS taken_by,
      room.taken_by AS taken_by_id, room.last_message_id,
      trim(customer.first_name || ' ' || customer.last_name) AS customer,
      (SELECT count(*) FROM chat_messages unread
        WHERE unread.room_id = room.id AND unread.receiver_id = room.administrator_id
          AND unread.id > coalesce(reader.read_up_to, 0)) AS unread,
      message.content, message.created_at
    FROM chat_rooms room
    JOIN users customer ON customer.id = room.customer_id
    JOIN users admin ON admin.id = room.administrator_id
    LEFT JOIN chat_messages message ON message.id = room.last_message_id
    LEFT JOIN chat_readers reader
      ON reader.room_id = room.id AND reader.user_id = room.administrator_id
    WHERE ${wanted}
    ORDER BY room.last_message_id <= coalesce(reader.read_up_to, 0), room.last_message_id DESC
    LIMIT ${ROOMS_LISTED}`.execute(database.kysely)
  return rows
}
