import * as s from 'superstruct'
import {
  CHAPTER_ALIASES_MAX,
  CHAPTER_NAME_MAX_LENGTH,
  CHAPTERS_MAX,
  chapterNameProblem,
} from '../rules/chapters.ts'
import { TRIMESTERS } from '../rules/papers.ts'
import { defineCall } from './call.ts'
import { checked, id, LastChange, nameText, revision } from './values.ts'

const name = (least: 0 | 1) => checked(nameText(least, CHAPTER_NAME_MAX_LENGTH), chapterNameProblem)

const written = {
  /** One of the two names may be ''. */
  ar: name(0),
  fr: name(0),
  aliases: s.size(s.array(name(1)), 0, CHAPTER_ALIASES_MAX),
  trimester: s.nullable(s.enums(TRIMESTERS)),
  isHidden: s.boolean(),
}

/** A chapter of a class and subject, offered or hidden. */
export const OfficeChapter = s.type({
  id: id(),
  ...written,
  /** How many documents in any state have it. */
  documents: s.number(),
})
export type OfficeChapter = s.Infer<typeof OfficeChapter>

/** The chapters of a class and subject in their order. */
export const ChapterList = s.type({
  chapters: s.array(OfficeChapter),
  /** The revision that the next change must name. */
  revision: s.number(),
  changed: LastChange,
})
export type ChapterList = s.Infer<typeof ChapterList>

/** A chapter that is saved; `id` is null for a new one. */
const SavedChapter = s.object({ id: s.nullable(id()), ...written })
export type SavedChapter = s.Infer<typeof SavedChapter>

const ofList = s.object({ classId: id(), subjectId: id() })

export const getChapters = defineCall('GET /office/admin/chapters/:classId/:subjectId', 'admin', {
  params: ofList,
  result: ChapterList,
  errors: ['not_found'],
})

/**
 * Replaces the whole list: adds chapters without an id, and deletes those that are missing, unless a
 * document has them. `revision` is the one that was read, as for entries of lists.
 */
export const saveChapters = defineCall('PUT /office/admin/chapters/:classId/:subjectId', 'admin', {
  params: ofList,
  body: s.object({
    revision: revision(),
    chapters: s.size(s.array(SavedChapter), 0, CHAPTERS_MAX),
  }),
  result: ChapterList,
  errors: ['not_found', 'done_before', 'name_taken', 'chapter_in_use'],
})

/** Merges a chapter into another, offered one of the same list, which its documents, names and address follow. */
export const mergeChapters = defineCall(
  'POST /office/admin/chapters/:classId/:subjectId/merge',
  'admin',
  {
    params: ofList,
    body: s.object({ revision: revision(), from: id(), into: id() }),
    result: ChapterList,
    errors: ['not_found', 'done_before'],
  },
)

/**
 * Moves a chapter to the end of another list. Its documents follow: they get that class and subject,
 * and lose their other chapters, which are none of these.
 */
export const moveChapter = defineCall(
  'POST /office/admin/chapters/:classId/:subjectId/move',
  'admin',
  {
    params: ofList,
    body: s.object({ revision: revision(), id: id(), toClassId: id(), toSubjectId: id() }),
    result: ChapterList,
    errors: ['not_found', 'done_before', 'name_taken', 'list_full'],
  },
)
