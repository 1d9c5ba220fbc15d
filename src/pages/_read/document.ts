import type { Api } from '../../client/api.ts'
import * as catalogue from '../../contract/catalogue.ts'
import { listDocumentComments, type Rating } from '../../contract/ratings.ts'
import { isNotFound } from './is-not-found.ts'
import { settled } from './settled.ts'

/** Other documents by the teacher on the details page. */
const RELATED_DOCUMENTS = 3

export interface DocumentPageData {
  document: catalogue.Document
  /** Up to 3 others by the teacher. What could not be read is null. */
  others: catalogue.Document[] | null
  ratings: Rating[] | null
}

/** A document and others by its teacher; null if it does not exist. */
export async function readDocument(api: Api, id: number): Promise<DocumentPageData | null> {
  try {
    const document = await api(catalogue.getDocument, { params: { id } })
    const [byTeacher, ratings] = await Promise.all([
      settled(api(catalogue.listTeacherDocuments, { params: { teacherId: document.teacher.id } })),
      settled(api(listDocumentComments, { params: { id } })),
    ])
    const others = byTeacher?.filter((other) => other.id !== id).slice(0, RELATED_DOCUMENTS) ?? null
    return { document, others, ratings }
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}
