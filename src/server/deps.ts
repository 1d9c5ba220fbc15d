import type { IncomingMessage } from 'node:http'
import type { Selectable } from 'kysely'
import type { LRUCache } from 'lru-cache'
import type { Registry } from 'prom-client'
import type { Document, DocumentFilters, DocumentPage, Teacher } from '../contract/catalogue.ts'
import type { StartedPayment } from '../contract/wallet.ts'
import type { PageCounts } from '../rules/page-sources.ts'
import type { FiledPapers } from '../rules/programme.ts'
import type { Vocabulary } from '../rules/school-words.ts'
import type { VisitStep } from '../rules/visits.ts'
import type { MailCarrier, SmsGateway } from './carriers/carriers.ts'
import type { SharedWork } from './concurrency/shared-work.ts'
import type { Turns } from './concurrency/turns.ts'
import type { Config } from './config/config.ts'
import type { Listener } from './database/listen.ts'
import type { PaymentsTable } from './database/money-tables.ts'
import type { Database } from './database/pool.ts'
import type { Storage } from './files/files.ts'
import type { Gateway, GatewayResult } from './gateways/gateways.ts'
import type { Identity } from './http/identity.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Workers } from './workers/workers.ts'

/** Receives the tags of public pages that a resource has changed, such as `document:12`. */
export interface Publisher {
  /**
   * Renders the pages with these tags again; call it after the commit. `note` is the id of the note
   * that the transaction made, if any.
   */
  changed(tags: readonly string[], note?: number): void
  /** Like `changed`, for frequent changes: collects them for up to a minute. */
  changedSoon(tags: readonly string[]): void
}

/**
 * Hashes and checks passwords in the only queue of this process for it, by turns: `turn` is the
 * caller's address, null for the shop itself. Throws `unavailable` if too many of the same turn or
 * in all are waiting.
 */
export interface Passwords {
  /** Throws as the others do, for callers that have something to do first. */
  refuseCrowd(turn: string | null): void
  /** The hash of a new password, the same in any Unicode form. */
  hash(password: string, turn: string | null): Promise<string>
  /**
   * Whether a password matches a hash, in its normal form or, as older ones were hashed, as it was
   * typed. Without a hash (null) this takes as long and returns false.
   */
  isRight(password: string, kept: string | null, turn: string | null): Promise<boolean>
}

/** Counts visits, without telling visitors apart. */
export interface VisitCounts {
  /** Counts a page sent to a browser; `isEmpty` for the page of a search that found nothing. */
  page(request: IncomingMessage, path: string, isEmpty: boolean): void
  add(step: VisitStep): void
  /** Adds what was counted to the database, which happens every minute by itself. */
  flush(): Promise<void>
  /** Adds what was counted for the last time. */
  close(): Promise<void>
}

/** What simultaneous calls about payments share in one process. */
export interface PaymentsUnderWay {
  /** Payments from wallets: one at a time for each buyer. */
  readonly turns: Turns
  /** Starts of payments, by user and intent. */
  readonly starts: SharedWork<StartedPayment>
  /** Payments that are brought to their gateway's state, by its reference. */
  readonly settling: SharedWork<Selectable<PaymentsTable> | null>
  /** Checks after a signal, by the gateway's reference, while they run. */
  readonly checks: Map<string, Promise<Selectable<PaymentsTable> | null>>
  /** The last checks that ended, by the gateway's reference. */
  readonly checked: LRUCache<string, EndedCheck>
  /**
   * Numbers the receipts of all paid orders that lack one. Resolves when all orders paid before the call have
   * a number; call it after the commit, so that no purchase waits for a number.
   */
  readonly numberReceipts: () => Promise<void>
}

/** A check of a payment at its gateway. */
export interface EndedCheck {
  /** When it ended, in milliseconds since 1970. */
  readonly at: number
  /** The pause before the next one, in milliseconds. */
  readonly pause: number
  /** Whether a check by the poller is scheduled for the end of the pause. */
  isScheduled: boolean
}

/** What a process counts as it happens, for Prometheus; the rest is read when Prometheus asks. */
export interface Metrics {
  readonly registry: Registry
  readonly pages: PageCounts
  /**
   * Counts an answer; `route` is a pattern, never an address: addresses hold ids, and anybody can make
   * up more.
   */
  onAnswer(route: string, method: string, status: number, seconds: number): void
  onGatewayResult(result: GatewayResult): void
}

/** What a process has in its index of the catalogue. */
export interface IndexState {
  readonly documents: number
  /** When it last had every committed change, in milliseconds since 1970; null: not read yet. */
  readonly readAt: number | null
}

/** A shop's words of the school, and the entries that their codes name. */
export interface SchoolWords {
  readonly vocabulary: Vocabulary
  readonly subjectIds: ReadonlyMap<string, number>
  readonly classIds: ReadonlyMap<string, number>
  readonly categoryIds: ReadonlyMap<string, number>
}

/** How many documents of a class, a subject and a category have the same facts of a paper. */
export interface FiledDocuments extends FiledPapers {
  readonly niveauId: number
  readonly matiereId: number
  readonly chapterIds: readonly number[]
}

/**
 * Reads the published documents. Their search index, and the names of subjects, kinds and classes,
 * are in this process's memory and never older than the last commit.
 */
export interface Catalogue {
  search(filters: DocumentFilters): Promise<DocumentPage>
  /** Reads the index ahead of the first search, which otherwise does so. */
  prepareSearch(): Promise<void>
  searchIndex(): IndexState
  /** The shop's words of the school, by which titles are read. */
  schoolWords(): Promise<SchoolWords>
  /** All that is for sale, counted by class, subject, category and facts of papers. */
  filed(): Promise<readonly FiledDocuments[]>
  /** undefined: none for sale has this id. */
  find(id: number): Promise<Document | undefined>
  newest(): Promise<Document[]>
  /** The documents that the shop features, in its order. */
  featured(): Promise<Document[]>
  topSelling(): Promise<Document[]>
  byFeaturedAuthors(): Promise<Document[]>
  /** The newest of a teacher; null if the teacher does not exist. */
  ofTeacher(teacherId: number): Promise<Document[] | null>
  /** Those with documents for sale. */
  teachers(): Promise<Teacher[]>
}

/** What every resource receives; `openDeps` opens it, and tests replace parts of it. */
export interface Deps {
  readonly config: Config
  readonly database: Database
  /** Receives the announcements of all instances by `pg_notify`. */
  readonly listener: Listener
  readonly publisher: Publisher
  /** Documents and pictures. */
  readonly files: Storage
  /** The processes in which strangers' files are opened. */
  readonly workers: Workers
  readonly jobs: Jobs
  /** Sends mails at once; those of the shop's events are jobs. */
  readonly mail: MailCarrier
  /** Sends text messages at once; null: the shop cannot reach phones. */
  readonly sms: SmsGateway | null
  /** null: no cards; the shop sells by wallet, transfer and D17. */
  readonly gateway: Gateway | null
  readonly payments: PaymentsUnderWay
  readonly passwords: Passwords
  /** How often pages, documents and carts are used, without anything about the users. */
  readonly visits: VisitCounts
  readonly catalogue: Catalogue
  readonly metrics: Metrics
  /** Recognises a caller by the `Authorization` header; nothing else identifies callers. */
  readonly identify: (authorization: string | undefined) => Promise<Identity>
  /** Notifies the operator of what needs attention. */
  readonly report: (line: string) => void
  /** Signs tokens and links. */
  readonly secret: Uint8Array
  /** Milliseconds since 1970; a test's clock may stand still. */
  readonly now: () => number
}
