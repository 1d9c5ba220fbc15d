import type { Import } from '../../../contract/office-imports.ts'
import * as imports from '../../../contract/office-imports.ts'
import type { Language } from '../../../rules/languages.ts'
import { type Problem, problemOf } from '../../shared/problem.ts'
import { saveFile } from '../../shared/save-file.ts'
import { ask } from '../backend.ts'
import { createLoader } from '../loader.ts'
import { createUpload } from '../upload.ts'

const reading = createLoader<Import | null>('import')

/** The account's last import; null where there is none. */
export const $import = reading.$state

const readLast = async () => (await ask(imports.getImport, {})).last

export const loadImport = (): Promise<void> => reading.load(readLast)

/** How often what is under way is looked at (ms). */
const LOOK_MS = 1500

/** Follows an import that is under way; returns what ends it. */
export function watchImport(): () => void {
  const timer = setInterval(() => void reading.refresh(readLast), LOOK_MS)
  return () => clearInterval(timer)
}

/** What is sent, in one ZIP; when it is there it is looked at. */
export const packageUpload = createUpload({
  purpose: 'import',
  keepAs: 'import',
  onDone: async ({ id }) => {
    const state = $import.get()
    const last = state.phase === 'ready' ? state.value : await readLast()
    // What was mended joins what was sent before.
    const after = last?.phase === 'refused' ? { after: last.id } : {}
    reading.show(await ask(imports.beginImport, { body: { uploadId: id, ...after } }))
  },
})

/** Puts the documents of the list into the shop; gives the problem, if any. */
export async function startImport(id: string): Promise<Problem | null> {
  try {
    reading.show(await ask(imports.startImport, { params: { id } }))
    return null
  } catch (error) {
    return problemOf(error)
  }
}

/** Gives an import up, so that another one can begin; gives the problem, if any. */
export async function giveUpImport(id: string): Promise<Problem | null> {
  try {
    await ask(imports.cancelImport, { params: { id } })
    reading.show(null)
    return null
  } catch (error) {
    return problemOf(error)
  }
}

/** Downloads a list to begin with; gives the problem, if any. */
export async function downloadTemplate(locale: Language): Promise<Problem | null> {
  try {
    const csv = await ask(imports.getImportTemplate, { query: { locale } })
    // Read as text it has lost the mark by which spreadsheets know UTF-8.
    const file = new Blob([`\uFEFF${String(csv)}`], { type: 'text/csv;charset=utf-8' })
    saveFile(file, 'catalogue.csv')
    return null
  } catch (error) {
    return problemOf(error)
  }
}
