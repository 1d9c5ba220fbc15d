import { type Document, searchDocuments } from '../contract/catalogue.ts'
import { SUGGESTIONS_MAX } from '../rules/suggestions.ts'
import { createApi } from './api.ts'
import { httpTransport } from './http.ts'

const api = createApi(httpTransport())

/** The first documents that contain a text, even in the middle of a word. */
export async function findDocuments(text: string, signal: AbortSignal): Promise<Document[]> {
  const query = { title: text, match: 'contains' as const, size: SUGGESTIONS_MAX }
  const { content } = await api(searchDocuments, { query }, { signal })
  return content
}
