import * as s from 'superstruct'
import { defineCall } from './call.ts'
import { DocumentDetails } from './references.ts'
import { id, searchedText } from './values.ts'

/** A paper whose correction a teacher may sell, with the facts that the correction shares. */
export const OfferedPaper = s.type({
  id: id(),
  title: s.string(),
  teacher: s.string(),
  isOwn: s.boolean(),
  matiereId: s.nullable(id()),
  niveauId: s.nullable(id()),
  categoryId: s.nullable(id()),
  ...DocumentDetails.schema,
})
export type OfferedPaper = s.Infer<typeof OfferedPaper>

/**
 * The papers for sale, and the teacher's own ones in any state, that a document may name as its paper:
 * the own ones first, then the newest. `not` is the document itself.
 */
export const findPapers = defineCall('GET /office/papers', 'teacher', {
  query: s.object({
    q: s.optional(searchedText()),
    niveauId: s.optional(id()),
    matiereId: s.optional(id()),
    not: s.optional(id()),
  }),
  result: s.array(OfferedPaper),
})
