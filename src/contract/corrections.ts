import * as s from 'superstruct'
import { defineCall } from './call.ts'
import { Document } from './catalogue.ts'
import { byId } from './values.ts'

/** What a document for sale corrects, and by what it is corrected, as far as that is for sale. */
export const getCorrections = defineCall('GET /documents/:id/corrections', 'anyone', {
  feature: 'corrections',
  params: byId,
  result: s.type({ paper: s.nullable(Document), corrections: s.array(Document) }),
  errors: ['document_not_found'],
})
