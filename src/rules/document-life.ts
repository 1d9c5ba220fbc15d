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

export type DocumentAct = 'submit' | 'withdraw' | 'publish' | 'unpublish' | 'delete'

interface ActedDocument {
  readonly state: DocumentState
  /** The number of the version of its file that waits for review. */
  readonly waitingVersion: number | null
  readonly isTakenDown: boolean
  readonly firstPublishedAt: string | null
}

/** The actions that a document's state allows its teacher, the most likely first. */
export function actsFor(document: ActedDocument): DocumentAct[] {
  const { state, waitingVersion, isTakenDown, firstPublishedAt } = document
  switch (state) {
    case 'submitted':
      return ['withdraw']
    case 'published':
      return waitingVersion === null ? ['unpublish'] : ['withdraw', 'unpublish']
    case 'unpublished':
      return [isTakenDown ? 'submit' : 'publish', ...(waitingVersion ? ['withdraw' as const] : [])]
    default:
      return firstPublishedAt === null ? ['submit', 'delete'] : ['submit']
  }
}
