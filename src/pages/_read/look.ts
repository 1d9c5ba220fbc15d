import type { Api } from '../../client/api.ts'
import { type Document, getDocument } from '../../contract/catalogue.ts'
import { getSample, type Sample } from '../../contract/reading.ts'
import { isNotFound } from './is-not-found.ts'

/** A document with its sample; null if the document does not exist or has none. */
export async function readLook(
  api: Api,
  id: number,
): Promise<{ document: Document; sample: Sample & { key: string } } | null> {
  try {
    const params = { id }
    const [document, sample] = await Promise.all([
      api(getDocument, { params }),
      api(getSample, { params }),
    ])
    const { key } = sample
    return key === null ? null : { document, sample: { ...sample, key } }
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}
