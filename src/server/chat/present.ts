import type { Message, RoomSummary } from '../../contract/chat.ts'
import { SHOP_NAME } from './inbox.ts'
import type { MessageRow } from './messages.ts'
import type { SummaryRow } from './rooms.ts'

/** A message on the wire. */
export function presentMessage(row: MessageRow): Message {
  return {
    id: row.id,
    senderId: row.sender_id,
    receiverId: row.receiver_id,
    roomId: row.room_id,
    author: row.author,
    content: row.content,
    timestamp: row.created_at.toISOString(),
    clientId: row.client_id,
  }
}

/** A room of the list on the wire. */
export function presentSummary({ id, ...row }: SummaryRow): RoomSummary {
  return {
    roomId: row.summary_id,
    other: { id: row.other_id, name: row.other_role === 'SHOP' ? SHOP_NAME : row.other_name },
    lastMessage: id === null ? null : presentMessage({ ...row, id }),
    unreadCount: row.unread,
  }
}
