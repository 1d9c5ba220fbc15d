import * as s from 'superstruct'
import { defineCall } from './call.ts'
import { Document } from './catalogue.ts'
import { byId, extra, id, moment, nothing } from './values.ts'

/** What a document for sale corrects, and by what it is corrected, as far as that is for sale. */
export const getCorrections = defineCall('GET /documents/:id/corrections', 'anyone', {
  feature: 'corrections',
  params: byId,
  result: s.type({ paper: s.nullable(Document), corrections: s.array(Document) }),
  errors: ['document_not_found'],
})

/** Whether the caller waits for the correction of a paper. */
export const isWaiting = defineCall('GET /documents/:id/correction-wait', 'user', {
  feature: 'corrections',
  params: byId,
  result: s.boolean(),
})

/** The caller is told once, when a paper for sale without a correction gets one. */
export const waitForCorrection = defineCall('PUT /documents/:id/correction-wait', 'user', {
  feature: 'corrections',
  params: byId,
  result: nothing(),
  errors: ['document_not_found', 'correction_exists', 'waits_full'],
})

/** The papers for whose correction the caller waits, the last one first. */
export const listWaits = defineCall('GET /correction-waits', 'user', {
  feature: 'corrections',
  result: s.array(
    s.type({
      id: id(),
      title: s.string(),
      teacher: s.type({ name: s.string(), latinName: extra(s.string()) }),
      addedAt: moment(),
      isForSale: s.boolean(),
    }),
  ),
})
export type Wait = s.Infer<typeof listWaits.result>[number]

/** It is no error if the caller does not wait. */
export const stopWaiting = defineCall('DELETE /documents/:id/correction-wait', 'user', {
  feature: 'corrections',
  params: byId,
  result: nothing(),
})
