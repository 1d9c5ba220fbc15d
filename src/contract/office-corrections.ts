import * as s from 'superstruct'
import { defineCall } from './call.ts'
import { DocumentDetails, Named, SchoolClass } from './references.ts'
import { id, pageOf, pageQuery, searchedText } from './values.ts'

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

/** A paper for sale without a correction, and how many accounts wait for one. */
export const WantedPaper = s.assign(
  OfferedPaper,
  s.type({ matiere: Named, classe: SchoolClass, waiting: s.number() }),
)
export type WantedPaper = s.Infer<typeof WantedPaper>

/** The papers whose correction is waited for, those that most wait for first; nobody is named. */
export const listWanted = defineCall('GET /office/wanted-papers', 'teacher', {
  query: s.object({
    ...pageQuery,
    q: s.optional(searchedText()),
    niveauId: s.optional(id()),
    matiereId: s.optional(id()),
  }),
  result: pageOf(WantedPaper),
})

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
