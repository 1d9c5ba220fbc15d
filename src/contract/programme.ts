import * as s from 'superstruct'
import { CODE_PATTERN } from '../rules/catalogue-lists.ts'
import { PAPER_KINDS, TRIMESTERS } from '../rules/papers.ts'
import type { ProgrammePaper } from '../rules/programme.ts'
import { defineCall } from './call.ts'
import { Listed, ListedClass } from './references.ts'

// Classes and subjects by their codes; those without a code have no page.

const code = () => s.pattern(s.string(), new RegExp(`^${CODE_PATTERN}$`))
const counted = {
  documents: s.number(),
  /** How many of the documents have their correction. */
  corrected: s.number(),
}

const CountedClass = s.type({ classe: ListedClass, documents: s.number() })

/** What there is for a class, by subject: those that it has, and others that documents have. */
const ClassProgramme = s.type({
  classe: ListedClass,
  subjects: s.array(s.type({ matiere: Listed, ...counted })),
})

const Paper = s.type({
  paperKind: s.enums(PAPER_KINDS),
  paperNumber: s.nullable(s.number()),
  trimester: s.nullable(s.enums(TRIMESTERS)),
  isOfTrimester: s.boolean(),
  ...counted,
}) satisfies s.Describe<ProgrammePaper>

/** What there is for a subject of a class: its papers in their order, and how many documents by category. */
const SubjectProgramme = s.type({
  classe: ListedClass,
  matiere: Listed,
  ...counted,
  papers: s.array(Paper),
  categories: s.array(s.type({ categorie: Listed, documents: s.number() })),
})

export const listProgramme = defineCall('GET /programme', 'anyone', {
  feature: 'programme',
  result: s.array(CountedClass),
})
export const getClassProgramme = defineCall('GET /programme/:classCode', 'anyone', {
  feature: 'programme',
  params: s.object({ classCode: code() }),
  result: ClassProgramme,
  errors: ['not_found'],
})
export const getSubjectProgramme = defineCall('GET /programme/:classCode/:subjectCode', 'anyone', {
  feature: 'programme',
  params: s.object({ classCode: code(), subjectCode: code() }),
  result: SubjectProgramme,
  errors: ['not_found'],
})
