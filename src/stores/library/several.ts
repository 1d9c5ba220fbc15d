import type { Language } from '../../rules/languages.ts'
import { ask } from '../shared/backend.ts'
import { type Problem, problemOf } from '../shared/problem.ts'
import { download } from './downloads.ts'
import type { Readable } from './reading.ts'

/** Downloads documents one after the other, each as a file of its own. */
export function downloadEach(documents: readonly Readable[]): void {
  for (const document of documents) void download(document, 'library')
}

/**
 * Makes the browser download a ZIP of these documents, or of all that the user bought if null;
 * returns the problem, if any. The browser navigates to a signed address, so that the ZIP does not
 * pass through memory.
 */
export async function downloadZip(
  locale: Language,
  documentIds: number[] | null,
): Promise<Problem | null> {
  try {
    const { zipLink } = await import('../../contract/archive.ts')
    const body = { locale, ...(documentIds && { documentIds }) }
    const { path } = await ask(() => zipLink, { body })
    if (!/^\/api\/archive\/[\w.-]+$/.test(path)) throw new Error(path)
    location.assign(path)
    return null
  } catch (error) {
    return problemOf(error)
  }
}
