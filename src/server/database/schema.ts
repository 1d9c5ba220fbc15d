import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { InEachLanguage, Language } from '../../rules/languages.ts'
import type { Trimester } from '../../rules/papers.ts'
import type { Level } from '../../rules/price-bands.ts'
import type { ACCOUNT_ROLES, Gender, JoiningDecision } from '../../rules/roles.ts'
import type { CodePurpose, ContactKind, RequestPurpose } from '../../rules/sms.ts'
import type { NoticeKind, UpkeepNote } from '../../rules/upkeep.ts'
import type { VisitStep } from '../../rules/visits.ts'
import type { Json, Moment, OptionalMoment } from './columns.ts'
import type { DocumentTables } from './document-tables.ts'
import type { MoneyTables } from './money-tables.ts'

export type AccountRole = (typeof ACCOUNT_ROLES)[number]

interface UsersTable {
  id: Generated<number>
  /** null: the account has a phone number alone. */
  email: string | null
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
  /** Why it is blocked; null: for no stated reason, or not blocked. */
  blockedReason: Generated<string | null>
  isDemo: Generated<boolean>
  locale: Generated<Language>
  createdAt: Moment
  emailConfirmedAt: OptionalMoment
  phoneConfirmedAt: OptionalMoment
  /** Later news are new to the account. */
  newsSeenAt: Moment
  wantsNews: Generated<boolean>
  /** When the account was last told of its news, or looked at for that. */
  newsMailedAt: Moment
  /** When the mail that waits in the queue was put there. */
  newsQueuedAt: Generated<Date | null>
  /** The folded text by which the office finds the account; null until it is written. */
  searchText: Generated<string | null>
  /** The account into which this one was merged and thereby closed. */
  mergedInto: Generated<number | null>
  /** When the person was deleted: only the number is left. */
  deletedAt: Generated<Date | null>
}

export interface TeachersTable {
  id: Generated<number>
  userId: number | null
  firstName: string
  lastName: string
  /** The whole name in Latin letters; '' if there is none. */
  latinName: Generated<string>
  /** The address by which the shop knows the teacher: of the invitation, and in lists. Never public. */
  email: string
  /** The address that the teacher's page shows; '' if there is none. */
  contactEmail: Generated<string>
  /** In Arabic; the columns of the other languages follow. */
  bio: Generated<string>
  bioFr: Generated<string>
  bioEn: Generated<string>
  levels: Generated<Level[]>
  picturePath: Generated<string | null>
  pictureUploadId: Generated<string | null>
  revision: Generated<number>
  hasPageCode: Generated<boolean>
  /** When an administrator approved or invited the account; null: it was opened at "sell with us". */
  approvedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** The place among the featured teachers, from 1; null: not featured. */
  featuredPlace: number | null
  ratingSum: Generated<number>
  ratingCount: Generated<number>
  reviewCount: Generated<number>
  // Earlier versions, which may run beside this one, also write `sales_count`: the sum of the
  // documents' own.
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

/** The actions of staff, their subjects and reasons; rows are only added. */
export interface StaffLogTable {
  id: GeneratedAlways<number>
  madeAt: Moment
  /** The actor: `command line`, or `user 12`. */
  actor: string
  action: string
  /** What it was done to, such as `user`; with what has no id, its whole name: `page faq`. */
  subjectKind: string
  subjectId: number | null
  reason: string | null
}

/** A teacher who applies to sell here; shown to staff once the e-mail address or phone is confirmed. */
interface JoinRequestsTable {
  id: GeneratedAlways<number>
  /** The account that was opened with the confirmation; null: not yet, or an earlier version asked. */
  userId: number | null
  /** Null: the phone is the contact. */
  email: string | null
  phone: string
  firstName: string
  lastName: string
  subjects: string
  message: string
  locale: Language
  tokenHash: string | null
  askedAt: Date
  confirmedAt: OptionalMoment
  decidedAt: OptionalMoment
  decision: Generated<JoiningDecision | null>
  reason: Generated<string | null>
}

/** The last run of each task that keeps the shop safe, and the last trouble of each kind. */
interface UpkeepTable {
  what: UpkeepNote
  doneAt: Date
  /** Since when the task has reported a problem; null: none. */
  wrongSince: OptionalMoment
  /** The last error of what fails. */
  reason: string | null
}

interface StaffTables {
  staffLog: StaffLogTable
  staffInvitations: { tokenHash: string; userId: number; expiresAt: Date }
  secondFactorSetups: { userId: number; sealedSecret: string; expiresAt: Date }
  secondFactors: { userId: number; sealedSecret: string; lastStep: number; since: Date }
  recoveryCodes: { userId: number; codeHash: string; usedAt: OptionalMoment }
  joinRequests: JoinRequestsTable
  upkeep: UpkeepTable
  toldNotices: { kind: NoticeKind; toldAt: Date; toldUntil: Date }
}

/** The tables of `chat/`. */
interface ChatTables {
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

/** The tables of `figures/`; days are `2026-11-22`, in Tunisia. */
interface FigureTables {
  /** The sums of the ledger for a past day; null: not computed yet. */
  figureDays: { day: string; sums: Json }
  /** How often a step was taken on a day. */
  visitCounts: { day: string; step: VisitStep; count: number }
  /** Folded texts for which several searches of a day found nothing. */
  emptySearches: { day: string; words: string; count: number }
}

interface SiteTables {
  /** Every version; rows are only added. */
  siteVersions: {
    /** `facts bank`, `page faq`, `text fr shop:title`. */
    subject: string
    revision: number
    /** null: the first version, from the repository. */
    value: unknown
    /** The version that it restores. */
    restores: number | null
    actor: string
    madeAt: Date
  }
  /** The versions of the terms that were made binding; rows are only added. */
  termsVersions: {
    number: GeneratedAlways<number>
    /** The version of the page. */
    revision: number
    publishedAt: Date
    actor: string
  }
  termsAcceptances: { userId: number; version: number; acceptedAt: Date }
  logos: {
    /** The name in the logo's address, with its size. */
    name: string
    /** An SVG or PNG of ours. */
    content: Buffer
    /** The logo within a square of 512 pixels, as PNG, from which icons are made. */
    mark: Buffer
    madeAt: Date
  }
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
  /** A person's data to take along: the last request of each account. */
  dataExports: {
    userId: number
    askedAt: Date
    tries: Generated<number>
    storageKey: Generated<string | null>
    size: Generated<number | null>
    readyAt: Generated<Date | null>
  }
  /** Accounts that are to be deleted. */
  accountDeletions: {
    userId: number
    askedAt: Date
    dueAt: Date
    askedBy: string
    /** Where the money of the wallet goes. */
    holder: string | null
    rib: string | null
    givesUpMoney: boolean
    /** null: all there is, as only its owner says. */
    givenUpMost: number | null
    isReminded: Generated<boolean>
  }
  endedTokens: { tokenId: string; expiresAt: Date | string }
  /** The log-ins of devices; a row ends with its token. */
  logIns: {
    id: GeneratedAlways<number>
    tokenId: string
    userId: number
    /** The account's `token_generation` at the time: with a later one the token has ended. */
    generation: number
    /** Such as `Chrome, Android`. */
    device: string
    /** Shortened; '' if unknown. */
    address: Generated<string>
    begunAt: Date
    seenAt: Date
    expiresAt: Date
  }
  teachers: TeachersTable
  teacherSubjects: { teacherId: number; matiereId: number }
  teacherLinks: { name: string; teacherId: number; chosenAt: Date }
  linkVisits: { day: string; name: string; visits: number }
  orderLinks: { orderId: number; name: string }
  categories: NamedTable
  paperKinds: NamedTable
  matieres: NamedTable
  niveaux: NamedTable & { level: Level }
  classSubjects: { niveauId: number; matiereId: number }
  chapters: {
    id: Generated<number>
    niveauId: number
    matiereId: number
    nameAr: string
    nameFr: string
    aliases: string[]
    position: number
    trimester: Trimester | null
    isHidden: boolean
    mergedInto: number | null
  }
  coverMappings: Omit<NamedTable, 'name' | 'code'> & {
    name: Generated<string>
    coverPath: string | null
    livrePath: string | null
    color: string | null
  }
  /** One row, whose number every change of the tables above increases. */
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
  cartItems: { userId: number; documentId: number; addedAt: Moment; bundleId: number | null }
  anonymousCartItems: {
    sessionId: string
    documentId: number
    addedAt: Moment
    bundleId: number | null
  }
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
  examMarks: {
    userId: number
    id: string
    documentId: number
    child: string
    quarters: number
    exerciseQuarters: number[] | null
    minutes: number
    satAt: Date
  }
  /** Accepted versions that are being announced to owners. */
  versionMailings: { documentId: number; version: number; mailedUpTo: Generated<number> }
  correctionWaits: { userId: number; documentId: number; addedAt: Moment }
  wishlistItems: { userId: number; documentId: number; addedAt: Moment }
  /** A teacher, or a class with a subject. */
  follows: {
    userId: number
    teacherId: number | null
    niveauId: number | null
    matiereId: number | null
    followedAt: Moment
  }
  /** The papers whose correction an account has waited for, and was told of. */
  toldCorrections: { userId: number; documentId: number; toldAt: Moment }
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
  phoneCodes: {
    userId: number
    /** Its 8 digits. */
    phone: string
    purpose: CodePurpose
    codeHash: string
    tries: Generated<number>
    expiresAt: Date
  }
  /** Codes that were asked for without a log-in; the request is known as a hash. */
  codeRequests: {
    requestHash: string
    /** Null: of somebody who opens a teacher's account, which has none yet. */
    userId: number | null
    phone: string
    purpose: RequestPurpose
    codeHash: string
    tries: Generated<number>
    expiresAt: Date
  }
  /** Messages to numbers that no account has confirmed. */
  newcomerTexts: {
    id: Generated<number>
    codeKey: string
    askedAt: Date
    cameBackAt: OptionalMoment
  }
  /** Where an account has logged in, as keyed hashes. */
  knownPlaces: { userId: number; place: string; seenAt: Date }
  /** The jobs whose text message was sent, or may have been. */
  sentTexts: { jobId: string; sentAt: Date }
  contactChanges: {
    userId: number
    kind: ContactKind
    value: string
    /** The hash of the link that confirms a new address; null for a phone. */
    tokenHash: string | null
    askedAt: Date
    /** When it is made; null until it is confirmed. */
    dueAt: Date | null
  }
  emailConfirmations: {
    tokenHash: string
    userId: number
    expiresAt: ColumnType<Date, Date | string, Date | string>
  }
}
