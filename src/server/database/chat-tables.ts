import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Moment, OptionalMoment } from './columns.ts'

/** The tables of `chat/`. */
export interface ChatTables {
  chatRooms: {
    id: string
    customerId: number
    administratorId: number
    createdAt: Moment
    lastMessageId: number | null
    /** Since when the customer waits for an answer; null: the last word is the shop's. */
    unansweredSince: OptionalMoment
  }
  chatMessages: {
    id: Generated<number>
    roomId: string
    senderId: number
    receiverId: number
    /** Who wrote it in the shop's name; null if the sender did. */
    authorId: number | null
    content: string
    clientId: string | null
    createdAt: Moment
  }
  /** Messages of customers that ask about a document; the database notes them as they come. */
  documentQuestions: { messageId: GeneratedAlways<number>; documentId: GeneratedAlways<number> }
  chatReaders: {
    roomId: string
    userId: number
    readUpTo: Generated<number>
    readAt: OptionalMoment
    mailedUpTo: Generated<number>
    mailedAt: OptionalMoment
  }
  chatSenders: { userId: number; windowEndsAt: Date | string; sent: number }
  chatPresence: { userId: number; seenAt: ColumnType<Date, Date | string, Date | string> }
}
