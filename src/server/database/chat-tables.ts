import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Language } from '../../rules/languages.ts'
import type { Moment, OptionalMoment } from './columns.ts'

/** The tables of `chat/`. */
export interface ChatTables {
  chatRooms: {
    id: string
    customerId: number
    administratorId: number
    createdAt: Moment
    lastMessageId: number | null
    /** When the customer's wait for an answer began; null if the shop wrote last. */
    unansweredSince: OptionalMoment
    /** The administrator who has taken a conversation of the common inbox, and when. */
    takenBy: number | null
    takenAt: OptionalMoment
  }
  chatMessages: {
    id: Generated<number>
    roomId: string
    senderId: number
    receiverId: number
    /** The administrator who wrote it for the shop; null if the sender wrote it. */
    authorId: number | null
    content: string
    clientId: string | null
    createdAt: Moment
  }
  /** Messages of customers that ask about a document; added by a trigger. */
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
  /** Building blocks of answers, by language; '' falls back to Arabic. */
  cannedAnswers: {
    id: Generated<number>
    revision: Generated<number>
    name: ColumnType<Record<Language, string>, string, string>
    text: ColumnType<Record<Language, string>, string, string>
    retiredAt: OptionalMoment
  }
  chatPresence: { userId: number; seenAt: ColumnType<Date, Date | string, Date | string> }
}
