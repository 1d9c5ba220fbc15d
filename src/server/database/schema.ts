import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Gender } from '../../rules/genders.ts'
import type { InEachLanguage } from '../../rules/in-each-language.ts'
import type { Language } from '../../rules/languages.ts'
import type { Level } from '../../rules/price-bands.ts'
import type { ACCOUNT_ROLES } from '../../rules/roles.ts'
import type { ChatTables } from './chat-tables.ts'
import type { Moment, OptionalMoment } from './columns.ts'
import type { DocumentTables } from './document-tables.ts'
import type { FigureTables } from './figure-tables.ts'
import type { MoneyTables } from './money-tables.ts'
import type { SiteTables } from './site-tables.ts'
import type { StaffTables } from './staff-tables.ts'

export type AccountRole = (typeof ACCOUNT_ROLES)[number]

export interface UsersTable {
  id: Generated<number>
  email: string
  phone: string | null
  username: string
  firstName: string
  lastName: string
  gender: Gender | null
  role: AccountRole
  /** null: invited, without a password yet. */
  passwordHash: string | null
  tokenGeneration: Generated<number>
  /** Since when the account has been blocked. */
  blockedAt: OptionalMoment
  isDemo: Generated<boolean>
  locale: Generated<Language>
  createdAt: Moment
  emailConfirmedAt: OptionalMoment
  /** The folded text by which the office finds the account; null until it is written. */
  searchText: Generated<string | null>
  /** The account into which this one was merged and thereby closed. */
  mergedInto: Generated<number | null>
}

export interface TeachersTable {
  id: Generated<number>
  userId: number | null
  firstName: string
  lastName: string
  /** The whole name in Latin letters; '' if there is none. */
  latinName: Generated<string>
  email: string
  /** In Arabic; the columns of the other languages follow. */
  bio: Generated<string>
  bioFr: Generated<string>
  bioEn: Generated<string>
  levels: Generated<Level[]>
  picturePath: Generated<string | null>
  pictureUploadId: Generated<string | null>
  revision: Generated<number>
  /** The place among the featured teachers, from 1; null: not featured. */
  featuredPlace: number | null
  ratingSum: Generated<number>
  ratingCount: Generated<number>
  reviewCount: Generated<number>
  salesCount: Generated<number>
  createdAt: Moment
}

interface NamedTable {
  id: Generated<number>
  name: string
  code: string | null
  /** As written by administrators; null: by `code`, else `name`. */
  names: ColumnType<InEachLanguage | null, string | null | undefined, string | null>
  position: Generated<number>
  isRetired: Generated<boolean>
}

/** The tables in the form that Kysely needs; `migrations/` creates them. */
export interface Schema
  extends MoneyTables,
    ChatTables,
    DocumentTables,
    FigureTables,
    StaffTables,
    SiteTables {
  users: UsersTable
  endedTokens: { tokenId: string; expiresAt: Date | string }
  teachers: TeachersTable
  teacherSubjects: { teacherId: number; matiereId: number }
  categories: NamedTable
  matieres: NamedTable
  niveaux: NamedTable & { level: Level }
  coverMappings: Omit<NamedTable, 'name' | 'code'> & {
    name: Generated<string>
    coverPath: string | null
    livrePath: string | null
    color: string | null
  }
  /** One row, whose number every change of the four tables above increases. */
  namesRevision: { revision: number }
  ratings: {
    id: Generated<number>
    userId: number
    documentId: number | null
    teacherId: number | null
    stars: number
    comment: Generated<string>
    /** Decided by the database, whatever is written. */
    counts: GeneratedAlways<boolean>
    createdAt: Moment
    hiddenAt: OptionalMoment
    hiddenReason: string | null
    withdrawnAt: OptionalMoment
    predatesConfirmation: Generated<boolean>
  }
  ratingAnswers: {
    ratingId: number
    text: string
    answeredAt: Moment
    /** The time of the rating when it was answered; if it differs, the rating has changed since. */
    ratedAt: Date
  }
  cartItems: { userId: number; documentId: number; addedAt: Moment }
  anonymousCartItems: { sessionId: string; documentId: number; addedAt: Moment }
  readings: {
    userId: number
    documentId: number
    /** The newest version that its owner has opened or downloaded; 0: none. */
    seenVersion: Generated<number>
    /** The page at which the owner stopped, and when. */
    page: number | null
    readAt: Date | null
  }
  shelves: { id: GeneratedAlways<number>; userId: number; name: string; addedAt: Moment }
  shelfDocuments: { shelfId: number; documentId: number }
  /** Accepted versions that are being announced to owners. */
  versionMailings: { documentId: number; version: number; mailedUpTo: Generated<number> }
  wishlistItems: { userId: number; documentId: number; addedAt: Moment }
  pageChanges: {
    id: GeneratedAlways<number>
    tags: string[]
    soon: boolean
    transactionId: GeneratedAlways<string>
    madeAt: Moment
  }
  /** Jobs during which a process ended, and how often. */
  jobDeaths: { jobId: string; deaths: number; lastAt: ColumnType<Date, never, Date> }
  attemptCounts: { key: string; count: number; endsAt: Date | string }
  mailCounts: { userId: number; kind: string; windowEndsAt: Date | string; queued: number }
  passwordResets: { tokenHash: string; userId: number; expiresAt: Date | string }
  emailConfirmations: {
    tokenHash: string
    userId: number
    expiresAt: ColumnType<Date, Date | string, Date | string>
  }
}
