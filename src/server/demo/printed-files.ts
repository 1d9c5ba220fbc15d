import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { portraitPath } from '../../rules/pictures.ts'
import type { Storage, StoredFile } from '../files/files.ts'
import { DEMO_DATA, type DemoShop, entryOf, readPrinted } from './demo-data.ts'

/** The stored PDF of a demo document. */
export interface PrintedFile extends StoredFile {
  readonly documentId: number
  readonly pages: number
}

/** Stores the printed PDF of every demo document. */
export async function storePrinted(
  { documents }: DemoShop,
  storage: Storage,
): Promise<PrintedFile[]> {
  const printed = await readPrinted()
  return Promise.all(
    documents.map(async ({ id }) => {
      const { pages } = entryOf(printed, 'id', id)
      const bytes = await readFile(join(DEMO_DATA, 'printed', `${id}.pdf`))
      return { ...(await storage.put(bytes, 'pdf')), documentId: id, pages }
    }),
  )
}

/** Stores the drawn portraits; returns their addresses by the teachers' ids. */
export async function storePortraits(storage: Storage): Promise<Map<number, string>> {
  const folder = join(DEMO_DATA, 'portraits')
  const paths = new Map<number, string>()
  for (const name of await readdir(folder)) {
    const { sha256 } = await storage.put(await readFile(join(folder, name)), 'webp')
    paths.set(Number.parseInt(name, 10), portraitPath(sha256))
  }
  return paths
}
