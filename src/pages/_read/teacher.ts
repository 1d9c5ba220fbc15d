import type { Api } from '../../client/api.ts'
import { isNotFound } from '../../components/is-not-found.ts'
import { type Settled, settled } from '../../components/settled.ts'
import * as catalogue from '../../contract/catalogue.ts'
import { listTeacherComments, type Rating } from '../../contract/ratings.ts'

/** A teacher and the documents; null where there is no such teacher. */
export async function readTeacher(
  api: Api,
  id: number,
): Promise<{
  teacher: catalogue.Teacher
  documents: Settled<catalogue.Document[]>
  comments: Settled<Rating[]>
} | null> {
  try {
    const [teacher, documents, comments] = await Promise.all([
      api(catalogue.getTeacher, { params: { id } }),
      settled(api(catalogue.listTeacherDocuments, { params: { teacherId: id } })),
      settled(api(listTeacherComments, { params: { id } })),
    ])
    return { teacher, documents, comments }
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}
