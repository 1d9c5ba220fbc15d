import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { BulkChange, BulkObstacle, Goods } from '../../rules/bulk-change.ts'
import type {
  DocumentAction,
  DocumentField,
  DocumentState,
  VersionState,
} from '../../rules/document-life.ts'
import type { ImportPhase, ImportStep, ProblemCode } from '../../rules/imports.ts'
import type { Millimes } from '../../rules/money.ts'
import type { Audience, Level } from '../../rules/price-bands.ts'
import type { UnstampableReason } from '../../rules/stamp.ts'
import type { UploadPurpose } from '../../rules/uploads.ts'
import type { Moment, OptionalMoment } from './columns.ts'

/** Columns that a draft need not fill are null; a document that is or was for sale has all of them. */
export interface DocumentsTable {
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
  searchText: Generated<string>
  /** The transaction that changed it last, written by the database. */
  changedIn: GeneratedAlways<string>
  /** The file that buyers get; before the first publication, the one that they would get. */
  fileId: number | null
  /** The pages that everybody may look at, from 1, in their order; null: the first ones. */
  samplePages: number[] | null
  coverPath: string | null
  livrePath: string | null
  coverUploadId: string | null
  coverMappingId: number | null
  state: Generated<DocumentState>
  /** Computed from the state. */
  isPublished: GeneratedAlways<boolean>
  isTakenDown: Generated<boolean>
  /** Its unique name in lists of documents. */
  reference: Generated<string>
  /** Counted from 1 among the featured ones, in whatever state they are; null: not featured. */
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
}

/** What a document's price, or its discounted price, was and is; the moments of a timed discount. */
export interface ChangedAmounts {
  readonly before: Millimes | null
  readonly after: Millimes | null
  readonly from?: string
  readonly until?: string
}

/** A page of a sample: its number from 1, the size of its picture, and what is written on it. */
export interface SampledPage {
  readonly page: number
  readonly width: number
  readonly height: number
  readonly text: string
}

/** A mistake in a row; null: in the whole list. */
export interface ImportedProblem {
  readonly row: number | null
  readonly column: string | null
  readonly code: ProblemCode
  readonly detail: string
}

/** The tables of `documents/` and `files/`. */
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
  }
  /** Of each document that is or was for sale. */
  samples: {
    documentId: number
    dueAt: OptionalMoment
    tries: Generated<number>
    key: string | null
    pages: ColumnType<SampledPage[] | null, string | null | undefined, string | null>
    isDrawn: Generated<boolean>
    trouble: string | null
    failedAt: OptionalMoment
  }
  /** Files that are handed out without a footer, once each. */
  unstampedFiles: {
    sha256: string
    reason: UnstampableReason
    detail: string
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
    /** Who: `user 12`, `command line`. */
    actor: string
    action: DocumentAction
    version: number | null
    reason: string | null
    field: DocumentField | null
    /** Of a change of its price, in millimes. */
    amounts: ColumnType<ChangedAmounts | null, string | null | undefined, never>
  }
  timedDiscounts: {
    documentId: number
    priceDiscount: Millimes
    startsAt: Date
    endsAt: Date
    /** The document has it; else it is still to begin. */
    isRunning: boolean
    /** What comes back at the end. */
    ownDiscount: Millimes | null
  }
  bulkChanges: {
    id: GeneratedAlways<number>
    change: ColumnType<BulkChange, string, never>
    /** Who: `user 12`, `command line`. */
    actor: string
    state: 'previewed' | 'running' | 'done'
    previewedAt: Date
    appliedAt: Date | null
    reason: string | null
    /** The change that this one takes back. */
    undoes: number | null
  }
  bulkChangedDocuments: {
    bulkChangeId: number
    documentId: number
    revision: number
    before: ColumnType<Goods, string, never>
    /** null: it cannot be changed. */
    after: ColumnType<Goods | null, string | null, never>
    obstacle: BulkObstacle | null
    isChanged: Generated<boolean>
  }
  /** Lists that teachers have uploaded. */
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
    /** How often it was started: more than once if the shop stopped half-way. */
    tries: Generated<number>
    problems: ColumnType<readonly ImportedProblem[], string | undefined, string>
    problemCount: Generated<number>
    /** The page counts of files that passed their check, by SHA-256; null: a picture. */
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
    width: number | null
    height: number | null
    checkedAt: OptionalMoment
  }
}
