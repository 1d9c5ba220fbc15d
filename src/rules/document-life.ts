import { DAY_MS } from './durations.ts'

/**
 * The states of a document: a draft, submitted for review, returned with a reason, published, or
 * withdrawn from sale. Only a published one is for sale.
 */
export const DOCUMENT_STATES = [
  'draft',
  'submitted',
  'returned',
  'published',
  'unpublished',
] as const
export type DocumentState = (typeof DOCUMENT_STATES)[number]

/** The states of a document that its teacher has yet to submit; until then it may be incomplete. */
export const OPEN_STATES = ['draft', 'returned'] as const satisfies readonly DocumentState[]

/** The states of a document after a review: it is for sale, or was. */
export const REVIEWED_STATES = [
  'published',
  'unpublished',
] as const satisfies readonly DocumentState[]
type ReviewedState = (typeof REVIEWED_STATES)[number]

export function isOpen(state: DocumentState): boolean {
  return OPEN_STATES.some((open) => open === state)
}

export function isReviewed(state: DocumentState): state is ReviewedState {
  return REVIEWED_STATES.some((reviewed) => reviewed === state)
}

/**
 * The states of a version of a document's file: attached to a draft, waiting for review, returned,
 * accepted (buyers get the newest of these), or withdrawn or replaced by the teacher.
 */
export const VERSION_STATES = [
  'draft',
  'submitted',
  'returned',
  'accepted',
  'replaced',
  'withdrawn',
] as const
export type VersionState = (typeof VERSION_STATES)[number]

export const DOCUMENT_ACTIONS = [
  'create',
  'submit',
  'withdraw',
  'return',
  'publish',
  'unpublish',
  'submit version',
  'withdraw version',
  'return version',
  'accept version',
  'change price',
  'change discount',
  'delete',
] as const
export type DocumentAction = (typeof DOCUMENT_ACTIONS)[number]

/** The longest note of a version, and the longest reason of a review, in characters. */
export const VERSION_NOTE_MAX_LENGTH = 300
export const REVIEW_REASON_MAX_LENGTH = 1000

/** How many unpublished documents a teacher may have. */
export const DRAFTS_MAX = 100

/** How often a teacher may submit documents and versions within `SUBMISSIONS_WINDOW_MS`. */
export const SUBMISSIONS_MAX = 50
export const SUBMISSIONS_WINDOW_MS = DAY_MS
