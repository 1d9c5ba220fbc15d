import { isDiscounted } from './discount.ts'
import { DAY_MS } from './durations.ts'
import { dinars, type Millimes } from './money.ts'
import { isBlank } from './pasted-text.ts'

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
export type ReviewedState = (typeof REVIEWED_STATES)[number]

/** Whether a document's teacher has yet to submit it. */
export function isOpen(state: DocumentState): boolean {
  return OPEN_STATES.some((open) => open === state)
}

/** Whether a document has been accepted by a review. */
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

/** The actions that change the state of a document or of a version. */
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

/** The longest title and description, in characters. */
export const TITLE_MAX_LENGTH = 255
export const DOCUMENT_DESCRIPTION_MAX_LENGTH = 5000

/** The longest note of a version, and the longest reason of a review, in characters. */
export const VERSION_NOTE_MAX_LENGTH = 300
export const REVIEW_REASON_MAX_LENGTH = 1000

/** The price range of a document that is not free. */
export const DOCUMENT_PRICE_MIN: Millimes = dinars(0.5)
export const DOCUMENT_PRICE_MAX: Millimes = dinars(500)

/** How many unpublished documents a teacher may have. */
export const DRAFTS_MAX = 100

/** How often a teacher may submit documents and versions within `SUBMISSIONS_WINDOW_MS`. */
export const SUBMISSIONS_MAX = 50
export const SUBMISSIONS_WINDOW_MS = DAY_MS

/** The fields of a document that a teacher fills in and a reviewer looks at; the API returns reasons by these names. */
export const DOCUMENT_FIELDS = [
  'title',
  'description',
  'price',
  'priceDiscount',
  'matiere',
  'classe',
  'categorie',
  'type',
  'file',
  'cover',
] as const
export type DocumentField = (typeof DOCUMENT_FIELDS)[number]

/**
 * The fields of a document that publishing depends on; null where one is missing. Amounts in
 * millimes.
 */
export interface DocumentFacts {
  readonly title: string
  readonly price: Millimes | null
  readonly priceDiscount: Millimes | null
  readonly matiereId: number | null
  readonly niveauId: number | null
  readonly categoryId: number | null
  readonly audience: string | null
  readonly hasFile: boolean
}

/** A field that prevents a document from being published, and the rule that it breaks. */
export interface DocumentProblem {
  readonly field: DocumentField
  readonly reason: 'required' | 'min' | 'max'
}

/** The problems that prevent a document from being published; empty if it is complete. */
export function documentProblems(facts: DocumentFacts): DocumentProblem[] {
  const problems: DocumentProblem[] = []
  const add = (field: DocumentField, reason: DocumentProblem['reason'] | null) => {
    if (reason) problems.push({ field, reason })
  }
  add('title', isBlank(facts.title) ? 'required' : null)
  add('matiere', facts.matiereId === null ? 'required' : null)
  add('classe', facts.niveauId === null ? 'required' : null)
  add('categorie', facts.categoryId === null ? 'required' : null)
  add('type', facts.audience === null ? 'required' : null)
  add('price', priceProblem(facts.price))
  add('priceDiscount', discountProblem(facts))
  add('file', facts.hasFile ? null : 'required')
  return problems
}

/** The rule that a price breaks: it is 0, or from `DOCUMENT_PRICE_MIN` to `DOCUMENT_PRICE_MAX`. */
export function priceProblem(price: Millimes | null): DocumentProblem['reason'] | null {
  if (price === null) return 'required'
  if (price === 0) return null
  if (price < DOCUMENT_PRICE_MIN) return 'min'
  return price > DOCUMENT_PRICE_MAX ? 'max' : null
}

/** The rule that a discounted price breaks: it is a valid price above 0 and below the full one. */
export function discountProblem({
  price,
  priceDiscount,
}: Pick<DocumentFacts, 'price' | 'priceDiscount'>): DocumentProblem['reason'] | null {
  if (priceDiscount === null || price === null) return null
  if (priceDiscount < DOCUMENT_PRICE_MIN) return 'min'
  return isDiscounted({ price, priceDiscount }) ? null : 'max'
}
