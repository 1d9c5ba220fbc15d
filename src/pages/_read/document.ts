import type { Api } from '../../client/api.ts'
import * as catalogue from '../../contract/catalogue.ts'
import { listCommentedDocumentRatings, type Rating } from '../../contract/ratings.ts'
import { getSample, type Sample } from '../../contract/reading.ts'
import { isNotFound } from './is-not-found.ts'
import { settled } from './settled.ts'

/** The number of other documents by the teacher on the details page. */
const RELATED_DOCUMENTS = 3

export interface DocumentPageData {
  document: catalogue.Document
  /** Up to 3 others by the teacher. Null if they could not be read, like the next two fields. */
  others: catalogue.Document[] | null
  ratings: Rating[] | null
  /** The facts of its file, and its public pages. */
  sample: Sample | null
}

/** A document and others by its teacher; null if it does not exist. */
export async function readDocument(api: Api, id: number): Promise<DocumentPageData | null> {
  try {
    const document = await api(catalogue.getDocument, { params: { id } })
    // Read one more, since this one may be among the newest. Not all, since a teacher may have two
    // hundred.
    const query = { teacherId: document.teacher.id, size: RELATED_DOCUMENTS + 1 }
    const [byTeacher, ratings, sample] = await Promise.all([
      settled(api(catalogue.searchDocuments, { query })),
      settled(api(listCommentedDocumentRatings, { params: { id } })),
      settled(api(getSample, { params: { id } })),
    ])
    const newest = byTeacher?.content.filter((other) => other.id !== id) ?? null
    const others = newest?.slice(0, RELATED_DOCUMENTS) ?? null
    return { document, others, ratings, sample }
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}
