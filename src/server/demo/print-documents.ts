import type { Storage, StoredFile } from '../files/files.ts'
import { composeBook } from './compose-book.ts'
import { DEMO_DOCUMENTS } from './documents/index.ts'
import { makeBook } from './pdf/book.ts'
import { loadBookFonts } from './pdf/fonts.ts'

/** The PDF of a demo document, in the storage. */
export interface PrintedFile extends StoredFile {
  readonly pages: number
}

/** Makes and stores the PDF of every demo document, in their order; the same bytes every time. */
export async function printDocuments(storage: Storage): Promise<PrintedFile[]> {
  const fonts = await loadBookFonts()
  const files: PrintedFile[] = []
  for (const [at, document] of DEMO_DOCUMENTS.entries()) {
    const { bytes, pages } = await makeBook(composeBook(document, at + 1), fonts)
    files.push({ ...(await storage.put(bytes, 'pdf')), pages })
  }
  return files
}
