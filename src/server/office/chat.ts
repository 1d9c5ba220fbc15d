import { sql } from 'kysely'
import { previewText } from '../../rules/preview-text.ts'
import { messageContent, roomMembers } from '../../rules/room.ts'
import { readMessages } from '../chat/messages.ts'
import { storeMessage } from '../chat/send.ts'
import type { Deps } from '../deps.ts'
import { ApiFault } from '../http/errors.ts'
import { ALLOWANCES } from '../http/limits.ts'
import { type Command, EXIT, OfficeError, type Outcome, readId } from './command.ts'
import { moment, table } from './print.ts'

const ROOMS_LISTED = 100
const MESSAGES_SHOWN = 100

interface Conversation {
  id: string
  customer_id: number
  administrator_id: number
  customer: string
  administrator: string
  administrator_email: string
  unread: number
  content: string | null
  created_at: Date | null
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
      '                          answers as the administrator of that conversation',
    ],
    options: { as: { type: 'string', about: 'the e-mail of the administrator who answers' } },
    async run(deps, { args: [room, text], options: { as } }) {
      if (room === undefined) return list(deps)
      const conversation = await find(deps, room)
      if (text === undefined && as === undefined) return show(deps, conversation)
      if (text === undefined || as === undefined) {
        throw new OfficeError(EXIT.usage, 'An answer takes --as <e-mail> and the text in quotes.')
      }
      return answer(deps, conversation, String(as), text)
    },
  },
]

async function list(deps: Deps): Promise<Outcome> {
  const found = await conversations(deps, null)
  const rows = found.map((one) => [
    one.id,
    String(one.unread),
    moment(one.created_at),
    one.administrator_email,
    `${one.customer}: ${onOneLine(previewText(one.content ?? ''))}`,
  ])
  return {
    lines:
      rows.length > 0
        ? table(['room', 'unread', 'last', 'administrator', 'customer'], rows)
        : ['There are no conversations.'],
    json: found.map((one) => ({
      room: one.id,
      unread: one.unread,
      customer: { id: one.customer_id, name: one.customer },
      administrator: { id: one.administrator_id, email: one.administrator_email },
      lastMessage: one.content,
      lastAt: one.created_at,
    })),
  }
}

async function show(deps: Deps, { id, ...one }: Conversation): Promise<Outcome> {
  const messages = await readMessages(deps.database.kysely, id, { limit: MESSAGES_SHOWN })
  const nameOf = (userId: number) => (userId === one.customer_id ? one.customer : one.administrator)
  return {
    lines: [
      `${id}: ${one.customer} (${one.customer_id}) and ${one.administrator_email}`,
      ...messages.flatMap(({ created_at, sender_id, content }) => {
        const [first, ...more] = content.split('\n')
        return [
          `${moment(created_at)}  ${nameOf(sender_id)}: ${first}`,
          ...more.map((line) => `  ${line}`),
        ]
      }),
    ],
    json: messages.map(({ id, sender_id, content, created_at }) => ({
      id,
      senderId: sender_id,
      content,
      timestamp: created_at,
    })),
  }
}

async function answer(deps: Deps, one: Conversation, as: string, text: string): Promise<Outcome> {
  if (as.trim().toLowerCase() !== one.administrator_email) {
    throw new OfficeError(EXIT.no, `The administrator of ${one.id} is ${one.administrator_email}.`)
  }
  const content = messageContent(text)
  if (content === null || text.includes('\0')) {
    throw new OfficeError(EXIT.usage, 'The text is empty, or longer than 4000 characters.')
  }
  const draft = {
    roomId: one.id,
    senderId: one.administrator_id,
    receiverId: one.customer_id,
    content,
    clientId: null,
  }
  const limits = { allowance: ALLOWANCES.chatMessagesOfUser, now: deps.now() }
  const { id } = await storeMessage(deps.database, draft, limits).catch((error) => {
    if (error instanceof ApiFault) throw new OfficeError(EXIT.no, error.message)
    throw error
  })
  return { lines: [`Sent to ${one.customer} as message ${id}.`], json: { id } }
}

/** The conversation that is meant by its room's id, or by a user who has just one. */
async function find(deps: Deps, typed: string): Promise<Conversation> {
  const named = roomMembers(typed) ? typed : readId(typed, 'room like room_1_3, nor user')
  const found = await conversations(deps, named)
  if (found.length > 1) {
    const rooms = found.map(({ id }) => id).join(', ')
    throw new OfficeError(EXIT.no, `User ${typed} has several conversations: ${rooms}.`)
  }
  const [one] = found
  if (!one) throw new OfficeError(EXIT.no, `There is no conversation ${typed}.`)
  return one
}

/** Those with messages, unread ones first; or only the room, or the rooms of the user, that is named. */
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
      admin.username AS administrator,
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

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}
