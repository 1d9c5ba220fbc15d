import * as s from 'superstruct'
import { BUNDLE_ANSWERS, BUNDLE_DOCUMENTS } from '../rules/bundles.ts'
import { defineCall } from './call.ts'
import { bundlePrice } from './office-bundles.ts'
import { byId, dinarAmount, id, moment, pageOf, pageQuery, whole } from './values.ts'

/**
 * How a bundle of several teachers is: not all have answered; one has refused, or taken the agreement back; for
 * sale; resting, since a document is not for sale or costs something else than when they were asked; or ended.
 */
export const SHARED_BUNDLE_STATES = ['asking', 'refused', 'selling', 'resting', 'stopped'] as const

const bundle = {
  id: id(),
  price: dinarAmount(),
  /** Counts the changes of its price and documents, each of which asks its teachers again. */
  revision: s.number(),
  state: s.enums(SHARED_BUNDLE_STATES),
  askedAt: moment(),
  documents: s.array(
    s.type({
      id: id(),
      title: s.string(),
      teacher: s.string(),
      /** Whether it is the caller's. */
      isOwn: s.boolean(),
      /** What it cost singly when its teachers were asked, by which it has its share of the price. */
      price: dinarAmount(),
      share: dinarAmount(),
      priceNow: dinarAmount(),
      isPublished: s.boolean(),
    }),
  ),
}
const Answer = s.nullable(s.enums(BUNDLE_ANSWERS))

/** A bundle of documents of several teachers, and what each of them answered; null: nothing yet. */
export const SharedBundle = s.type({
  ...bundle,
  teachers: s.array(s.type({ id: id(), name: s.string(), answer: Answer })),
})
export type SharedBundle = s.Infer<typeof SharedBundle>

/** Likewise as one of its teachers sees it, who learns nothing about the answers of the others but what follows. */
export const AskedBundle = s.type({ ...bundle, answer: Answer })
export type AskedBundle = s.Infer<typeof AskedBundle>

/** The newest first, and the ended ones last. */
export const listSharedBundles = defineCall('GET /office/admin/bundles', 'admin', {
  query: s.object(pageQuery),
  result: pageOf(SharedBundle),
})

const offer = {
  documentIds: s.size(s.array(id()), BUNDLE_DOCUMENTS.least, BUNDLE_DOCUMENTS.most),
  price: bundlePrice(),
}
const OF_AN_OFFER = [
  'document_not_found',
  'bundle_not_cheaper',
  'bundle_of_one_teacher',
  'teacher_cannot_agree',
  'bundle_exists',
] as const

/** Asks the teachers of documents that are for sale whether these may be sold together. */
export const offerBundle = defineCall('POST /office/admin/bundles', 'admin', {
  body: s.object(offer),
  result: SharedBundle,
  errors: [...OF_AN_OFFER, 'bundles_full'],
})

/** Changes a bundle, which does not sell until all its teachers have agreed anew. */
export const changeSharedBundle = defineCall('PUT /office/admin/bundles/:id', 'admin', {
  params: byId,
  body: s.object({ ...offer, revision: whole(1, 2 ** 31 - 1) }),
  result: SharedBundle,
  errors: [...OF_AN_OFFER, 'bundle_not_found', 'bundle_changed'],
})

/** Ends a bundle for good; orders that wait keep their prices. It is no error if it has ended. */
export const stopSharedBundle = defineCall('POST /office/admin/bundles/:id/stop', 'admin', {
  params: byId,
  result: SharedBundle,
  errors: ['bundle_not_found'],
})

/** The bundles with documents of others that the teacher was asked about, the newest first, without ended ones. */
export const listAskedBundles = defineCall('GET /office/asked-bundles', 'teacher', {
  query: s.object(pageQuery),
  /** `awaiting`: how many await an answer. */
  result: s.assign(pageOf(AskedBundle), s.type({ awaiting: s.number() })),
})

/** Agrees to a bundle as it was seen, refuses it, or takes an agreement back. */
export const answerBundle = defineCall('PUT /office/asked-bundles/:id/answer', 'teacher', {
  params: byId,
  body: s.object({ revision: whole(1, 2 ** 31 - 1), answer: s.enums(BUNDLE_ANSWERS) }),
  result: AskedBundle,
  errors: ['bundle_not_found', 'bundle_changed'],
})
