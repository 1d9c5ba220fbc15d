import * as s from 'superstruct'
import { BUNDLE_DOCUMENTS, BUNDLE_PRICE_MIN } from '../rules/bundles.ts'
import { defineCall } from './call.ts'
import { byId, checked, dinarAmount, id, moment, pageOf, pageQuery } from './values.ts'

/**
 * How a bundle is: for sale; resting, since a document is not for sale, is free, or all cost no more singly;
 * or ended by its teacher, for good.
 */
export const BUNDLE_STATES = ['selling', 'resting', 'stopped'] as const

export const OwnBundle = s.type({
  id: id(),
  price: dinarAmount(),
  state: s.enums(BUNDLE_STATES),
  createdAt: moment(),
  documents: s.array(
    s.type({
      id: id(),
      title: s.string(),
      /** What it costs singly now. */
      price: dinarAmount(),
      isPublished: s.boolean(),
    }),
  ),
})
export type OwnBundle = s.Infer<typeof OwnBundle>

/** A teacher's bundles, the newest first and the ended ones last; with `documentId` those that have it. */
export const listOwnBundles = defineCall('GET /office/bundles', 'teacher', {
  query: s.object({ ...pageQuery, documentId: s.optional(id()) }),
  result: pageOf(OwnBundle),
})

/** What a bundle may cost; the prices of its documents bound it as well. */
export const bundlePrice = () =>
  checked(dinarAmount(), (price) => (price < BUNDLE_PRICE_MIN ? 'min' : null))

/** Sells own documents that are for sale together, at once, for less than they cost singly. */
export const createBundle = defineCall('POST /office/bundles', 'teacher', {
  body: s.object({
    documentIds: s.size(s.array(id()), BUNDLE_DOCUMENTS.least, BUNDLE_DOCUMENTS.most),
    price: bundlePrice(),
  }),
  result: OwnBundle,
  errors: ['document_not_found', 'bundle_not_cheaper', 'bundle_exists', 'bundles_full'],
})

export const setBundlePrice = defineCall('PUT /office/bundles/:id/price', 'teacher', {
  params: byId,
  body: s.object({ price: bundlePrice() }),
  result: OwnBundle,
  errors: ['bundle_not_found', 'bundle_not_cheaper'],
})

/** Ends a bundle for good; orders that wait keep their prices. It is no error if it has ended. */
export const stopBundle = defineCall('POST /office/bundles/:id/stop', 'teacher', {
  params: byId,
  result: OwnBundle,
  errors: ['bundle_not_found'],
})
