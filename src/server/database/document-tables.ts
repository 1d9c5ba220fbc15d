import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { BulkChange, BulkObstacle, BulkState, Goods } from '../../rules/bulk-change.ts'
import type { Details, DocumentField } from '../../rules/document-fields.ts'
import type { DocumentAction, DocumentState, VersionState } from '../../rules/document-life.ts'
import type { ImportPhase, ImportStep, NoteCode, ProblemCode } from '../../rules/imports.ts'
import type { Language } from '../../rules/languages.ts'
import type { Millimes } from '../../rules/money.ts'
import type { Audience, Level } from '../../rules/price-bands.ts'
import type { ReportReason } from '../../rules/reports.ts'
import type { UnstampableReason } from '../../rules/stamp.ts'
import type { UploadPurpose } from '../../rules/uploads.ts'
import type { Moment, OptionalMoment } from './columns.ts'

/**
 * Columns that a draft may leave empty are nullable; a document that is or was for sale has all of
 * them.
 */
export interface DocumentsTable extends Details {
  id: Generated<number>
  teacherId: number
  title: Generated<string>
  description: Generated<string>
  price: Millimes | null
  priceDiscount: Millimes | null
  finalPrice: GeneratedAlways<Millimes | null>
  categoryId: number | null
  matiereId: number | null
  niveauId: number | null
  level: Level | null
  audience: Audience | null
  /** Whether a document for sale is its correction; written by the database. */
  hasCorrection: GeneratedAlways<boolean>
  /** The paper whose teacher has been told of this correction. */
  toldPaper: number | null
  searchText: Generated<string>
  /** The last transaction that changed the document, written by the database. */
  changedIn: GeneratedAlways<string>
  /** The file that buyers get, or would get after the first publication. */
  fileId: number | null
  /** The pages that everyone may look at, counted from 1, in their order; null: the first ones. */
  samplePages: number[] | null
  coverPath: string | null
  livrePath: string | null
  coverUploadId: string | null
  coverMappingId: number | null
  chapterIds: Generated<number[]>
  state: Generated<DocumentState>
  /** Derived from the state. */
  isPublished: GeneratedAlways<boolean>
  isTakenDown: Generated<boolean>
  /** Its unique name in uploaded lists of documents. */
  reference: Generated<string>
  /** Its place among the featured documents, from 1, whatever their state; null: not featured. */
  featuredPlace: number | null
  salesCount: Generated<number>
  ratingSum: Generated<number>
  ratingCount: Generated<number>
  rating: GeneratedAlways<number>
  revision: Generated<number>
  createdAt: Moment
  changedAt: Moment
  firstPublishedAt: OptionalMoment
  uploadedAt: Moment
  /** When the price last fell while it was for sale, and from which; written by the database. */
  priceFellAt: GeneratedAlways<Date | null>
  fellFrom: GeneratedAlways<Millimes | null>
}

/**
 * The old and new price of a document, or its old and new discounted price; the moments of a timed
 * discount.
 */
export interface ChangedAmounts {
  readonly before: Millimes | null
  readonly after: Millimes | null
  readonly from?: string
  readonly until?: string
}

/** A page of a sample: its number from 1, the size of its picture, and its text. */
export interface SampledPage {
  readonly page: number
  readonly width: number
  readonly height: number
  readonly text: string
}

/** A mistake in a row, or, if null, in the whole list. */
interface ImportedProblem {
  readonly row: number | null
  readonly column: string | null
  readonly code: ProblemCode
  readonly detail: string
}

interface ImportedNote extends Omit<ImportedProblem, 'code'> {
  readonly code: NoteCode
}

export interface DocumentTables {
  documents: DocumentsTable
  files: {
    id: Generated<number>
    storageKey: string
    mediaType: string
    fileType: string
    size: number
    sha256: string
    pageCount: number | null
    /** When its pages are to be signed; null: they are. */
    likenessDueAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  }
  /** What pages look like, to find those that are alike (rules/likeness.ts). */
  pageSignatures: {
    fileId: number
    /** Counted from 1. */
    page: number
    hasWords: boolean
    text: Buffer | null
    picture: Buffer | null
    /** The numbers under which it is found. */
    bands: number[]
  }
  /** All reports about a document until an administrator closes the case. */
  reportCases: {
    id: GeneratedAlways<number>
    documentId: number
    openedAt: Date
    /** The teacher's. */
    answer: string | null
    closedAt: Date | null
    /** What all concerned were told at the end, and whether the document was for sale then. */
    reply: string | null
    isKept: boolean | null
  }
  reports: {
    id: GeneratedAlways<number>
    caseId: number
    madeAt: Date
    reason: ReportReason
    words: string
    userId: number | null
    /** Where a visitor without an account is answered. */
    email: string | null
    locale: Language
  }
  /** One for each document that is or was for sale. */
  samples: {
    documentId: number
    dueAt: OptionalMoment
    tries: Generated<number>
    /** How many of them failed, in this phase. */
    failures: Generated<number>
    key: string | null
    pages: ColumnType<SampledPage[] | null, string | null | undefined, string | null>
    isDrawn: Generated<boolean>
    trouble: string | null
    failedAt: OptionalMoment
  }
  /** Files that are delivered without a footer; each is listed once. */
  unstampedFiles: {
    sha256: string
    reason: UnstampableReason
    detail: string
    notedAt: Moment
  }
  /** What took more than a job may, by file, task and part (a page, or 0). */
  fileFaults: {
    sha256: string
    task: string
    part: number
    reason: string
    notedAt: Moment
  }
  documentVersions: {
    documentId: number
    /** Counted from 1. */
    number: number
    fileId: number | null
    uploadId: string | null
    note: Generated<string>
    state: VersionState
    createdAt: Moment
    createdBy: string
    decidedAt: OptionalMoment
    decidedBy: string | null
    reason: string | null
  }
  /** Rows are only added. */
  documentEvents: {
    id: GeneratedAlways<number>
    documentId: number
    madeAt: Moment
    /** The actor: `user 12`, `command line`. */
    actor: string
    action: DocumentAction
    version: number | null
    reason: string | null
    field: DocumentField | null
    /** For a change of price, in millimes. */
    amounts: ColumnType<ChangedAmounts | null, string | null | undefined, never>
  }
  timedDiscounts: {
    documentId: number
    priceDiscount: Millimes
    startsAt: Date
    endsAt: Date
    /** Whether the discount is active; otherwise it has not begun. */
    isRunning: boolean
    /** The discount that is restored at the end. */
    ownDiscount: Millimes | null
  }
  bulkChanges: {
    id: GeneratedAlways<number>
    change: ColumnType<BulkChange, string, never>
    /** The actor: `user 12`, `command line`. */
    actor: string
    state: BulkState
    previewedAt: Date
    appliedAt: Date | null
    reason: string | null
    /** The change that this one undoes. */
    undoes: number | null
  }
  bulkChangedDocuments: {
    bulkChangeId: number
    documentId: number
    revision: number
    before: ColumnType<Goods, string, never>
    /** null if the document cannot be changed. */
    after: ColumnType<Goods | null, string | null, never>
    obstacle: BulkObstacle | null
    isChanged: Generated<boolean>
  }
  imports: {
    id: Generated<string>
    userId: ColumnType<number, number, never>
    teacherId: ColumnType<number, number, never>
    name: string
    /** The ZIPs; files in later ones replace those in earlier ones. */
    storageKeys: string[]
    phase: ImportPhase
    step: ImportStep | null
    done: Generated<number>
    total: Generated<number>
    /** The number of starts: more than one if the shop stopped during the import. */
    tries: Generated<number>
    /** How many of them failed, in this phase. */
    failures: Generated<number>
    problems: ColumnType<readonly ImportedProblem[], string | undefined, string>
    problemCount: Generated<number>
    /** What the list says without being wrong: lines that were not read, fonts that a file lacks. */
    notes: ColumnType<readonly ImportedNote[], string | undefined, string>
    /** The page counts of files that passed their check, by SHA-256; null for a picture. */
    checkedFiles: ColumnType<Readonly<Record<string, number | null>>, string | undefined, string>
    created: Generated<number>
    changed: Generated<number>
    unchanged: Generated<number>
    begunAt: Moment
    changedAt: Moment
  }
  uploads: {
    id: Generated<string>
    userId: number
    purpose: UploadPurpose
    name: string
    size: ColumnType<number, number, never>
    received: Generated<number>
    parts: Generated<number[]>
    touchedAt: Moment
    storageKey: string | null
    sha256: string | null
    storedSize: number | null
    pageCount: number | null
    /** Fonts that a PDF lacks. */
    missingFonts: Generated<string[]>
    isSigned: Generated<boolean>
    width: number | null
    height: number | null
    checkedAt: OptionalMoment
  }
}
