import * as s from 'superstruct'
import { CALENDAR_SOURCE_MAX_LENGTH, type TestDates } from '../rules/calendar.ts'
import { CODE_PATTERN } from '../rules/catalogue-lists.ts'
import { KIND_CODE, TRIMESTERS } from '../rules/papers.ts'
import { defineCall } from './call.ts'
import { InEachLanguage, Listed, ListedClass, Named } from './references.ts'
import { byId, day, extra, nameText } from './values.ts'

// Classes and subjects by their codes; those without a code have no page.

const code = () => s.pattern(s.string(), new RegExp(`^${CODE_PATTERN}$`))
const counted = {
  documents: s.number(),
  /** How many of the documents have their correction. */
  corrected: s.number(),
}

/** The fields of days on which classes are tested. */
export const dates = {
  kind: s.pattern(s.string(), KIND_CODE),
  trimester: s.nullable(s.enums(TRIMESTERS)),
  from: day(),
  to: day(),
  source: nameText(1, CALENDAR_SOURCE_MAX_LENGTH),
}
/** The names of a kind that administrators have added. */
const kindNames = extra(InEachLanguage)
const Dates = s.type({ ...dates, kindNames }) satisfies s.Describe<TestDates>
export type Dates = s.Infer<typeof Dates>

/** Dates of the calendar that are not over, in their order, and the day of which this was. */
const ahead = { today: day(), ahead: s.array(Dates) }

const CountedClass = s.type({
  classe: ListedClass,
  documents: s.number(),
  /** Whether the calendar has tests of this class in this week, or only later; null: none. */
  tests: s.nullable(s.enums(['this week', 'ahead'])),
})

/** What there is for a class, by subject: those that it has, and others that documents have. */
const ClassProgramme = s.type({
  classe: ListedClass,
  subjects: s.array(s.type({ matiere: Listed, ...counted })),
  ...ahead,
  /** What is tested this week, and the papers of the years before, by subject. */
  thisWeek: s.array(
    s.type({ dates: Dates, subjects: s.array(s.type({ matiere: Listed, ...counted })) }),
  ),
})

const Paper = s.type({
  paperKind: s.pattern(s.string(), KIND_CODE),
  kindNames,
  /** Set for kinds that administrators have added, which exams and exercises have alike; otherwise null. */
  categoryId: s.nullable(s.number()),
  paperNumber: s.nullable(s.number()),
  trimester: s.nullable(s.enums(TRIMESTERS)),
  isOfTrimester: s.boolean(),
  ...counted,
})
export type Paper = s.Infer<typeof Paper>

/** What there is for a subject of a class: its papers in their order, and how many documents by category. */
const SubjectProgramme = s.type({
  classe: ListedClass,
  matiere: Listed,
  ...counted,
  ...ahead,
  papers: s.array(Paper),
  categories: s.array(s.type({ categorie: Listed, documents: s.number() })),
  /** In their order: those that are offered, and hidden ones that documents have. */
  chapters: extra(s.array(s.type({ chapter: Named, ...counted }))),
})

/** What there is for a chapter: its papers in their order, and how many documents by category. */
const ChapterProgramme = s.type({
  chapter: Named,
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

/** A chapter that was merged into another is that one. */
export const getChapterProgramme = defineCall('GET /chapters/:id', 'anyone', {
  feature: 'programme',
  params: byId,
  result: ChapterProgramme,
  errors: ['not_found'],
})
