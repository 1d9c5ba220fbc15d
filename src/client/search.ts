import { searchDocuments } from '../contract/catalogue.ts'
import { type SearchPage, SUGGESTIONS_MAX } from '../rules/suggestions.ts'
import { createApi } from './api.ts'
import { httpTransport } from './http.ts'

const api = createApi(httpTransport())

/** The pages of the site by their titles: `pages/[locale].search.json.ts`. */
export async function findPages(locale: string): Promise<readonly SearchPage[]> {
  const answer = await fetch(`/${locale}.search.json`)
  if (!answer.ok) throw new Error(`no pages to suggest: ${answer.status}`)
  return answer.json()
}

/**
 * Finds the first documents that contain a text, even in the middle of a word; if there are none,
 * those that contain the text that was probably meant (`meant`).
 */
export async function findDocuments(text: string, signal: AbortSignal) {
  const query = { title: text, match: 'contains' as const, size: SUGGESTIONS_MAX }
  const { content, spelling } = await api(searchDocuments, { query }, { signal })
  if (!spelling?.isApplied) return content
  return content.map((document) => ({ ...document, meant: spelling.text }))
}
