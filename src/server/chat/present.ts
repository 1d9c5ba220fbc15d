import type { Message, RoomSummary } from '../../contract/chat.ts'
import type { MessageRow } from './messages.ts'
import type { SummaryRow } from './rooms.ts'

/** A message in the form of the API. */
export function presentMessage(row: MessageRow): Message {
  return {
    id: row.id,
    senderId: row.senderId,
    receiverId: row.receiverId,
    roomId: row.roomId,
    author: row.author,
    content: row.content,
    timestamp: row.createdAt.toISOString(),
    clientId: row.clientId,
  }
}

/** A room of the list in the form of the API; `shop` is the name of the shop. */
export function presentSummary({ id, ...row }: SummaryRow, shop: string): RoomSummary {
  return {
    roomId: row.summaryId,
    other: { id: row.otherId, name: row.otherRole === 'SHOP' ? shop : row.otherName },
    lastMessage: id === null ? null : presentMessage({ ...row, id }),
    unreadCount: row.unread,
  }
}
