import type { Import } from '../../../contract/office-imports.ts'
import * as imports from '../../../contract/office-imports.ts'
import type { Language } from '../../../rules/languages.ts'
import { type Problem, problemOf } from '../../shared/problem.ts'
import { saveFile } from '../../shared/save-file.ts'
import { ask } from '../backend.ts'
import { createLoader } from '../loader.ts'
import { createUpload } from '../upload.ts'

const loader = createLoader<Import | null>('import')

/** The account's last import; null if there is none. */
export const $import = loader.$state

const readLast = async () => (await ask(imports.getImport, {})).last

export const loadImport = (): Promise<void> => loader.load(readLast)

/** The interval of polling a running import (ms). */
const POLL_MS = 1500

/** Polls a running import; returns a function that stops polling. */
export function watchImport(): () => void {
  const timer = setInterval(() => void loader.refresh(readLast), POLL_MS)
  return () => clearInterval(timer)
}

/** The upload of the files, as one ZIP; once it is complete, the server checks it. */
export const packageUpload = createUpload({
  purpose: 'import',
  keepAs: 'import',
  onDone: async (id) => {
    const state = $import.get()
    const last = state.phase === 'ready' ? state.value : await readLast()
    // After a refused import, the user sends only the corrected files.
    const after = last?.phase === 'refused' ? { after: last.id } : {}
    loader.show(await ask(imports.beginImport, { body: { uploadId: id, ...after } }))
  },
})

/** Starts to import the documents of the list; returns the problem, if any. */
export async function startImport(id: string): Promise<Problem | null> {
  try {
    loader.show(await ask(imports.startImport, { params: { id } }))
    return null
  } catch (error) {
    return problemOf(error)
  }
}

/** Cancels an import, so that another can begin; returns the problem, if any. */
export async function giveUpImport(id: string): Promise<Problem | null> {
  try {
    await ask(imports.cancelImport, { params: { id } })
    loader.show(null)
    return null
  } catch (error) {
    return problemOf(error)
  }
}

/** Downloads a template of a list; returns the problem, if any. */
export async function downloadTemplate(locale: Language): Promise<Problem | null> {
  try {
    const csv = await ask(imports.getImportTemplate, { query: { locale } })
    // Decoding the response removed the byte order mark, which spreadsheets need to recognise
    // UTF-8.
    const file = new Blob([`\uFEFF${String(csv)}`], { type: 'text/csv;charset=utf-8' })
    saveFile(file, 'catalogue.csv')
    return null
  } catch (error) {
    return problemOf(error)
  }
}
