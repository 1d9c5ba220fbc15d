import type { Api } from '../../client/api.ts'
import * as catalogue from '../../contract/catalogue.ts'
import { listCommentedTeacherRatings, type Rating } from '../../contract/ratings.ts'
import { isNotFound } from './is-not-found.ts'
import { settled } from './settled.ts'

/** A teacher with their documents and ratings; null if there is no such teacher. */
export async function readTeacher(
  api: Api,
  id: number,
): Promise<{
  teacher: catalogue.Teacher
  documents: catalogue.Document[] | null
  ratings: Rating[] | null
} | null> {
  try {
    const [teacher, documents, ratings] = await Promise.all([
      api(catalogue.getTeacher, { params: { id } }),
      settled(api(catalogue.listTeacherDocuments, { params: { teacherId: id } })),
      settled(api(listCommentedTeacherRatings, { params: { id } })),
    ])
    return { teacher, documents, ratings }
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}
