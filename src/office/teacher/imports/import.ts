import * as imports from '../../../contract/office-imports.ts'
import type { Language } from '../../../rules/languages.ts'
import { ask } from '../../kit/backend.ts'
import { saveCsv } from '../../kit/csv.ts'
import { createUpload } from '../../kit/forms/upload.ts'
import { resourceBy } from '../../kit/loader.ts'

const readLast = async () => (await ask(imports.getImport, {})).last

/** The account's last import; null if there is none. */
export const lastImport = resourceBy('import', readLast)

/** The interval of polling a running import (ms). */
const POLL_MS = 1500

export function watchImport(): () => void {
  const timer = setInterval(() => void lastImport.refresh(), POLL_MS)
  return () => clearInterval(timer)
}

/** The upload of the files, as one ZIP; once it is complete, the server checks it. */
export const packageUpload = createUpload({
  purpose: 'import',
  keepAs: 'import',
  onDone: async (id) => {
    const shown = lastImport.value()
    const last = shown === undefined ? await readLast() : shown
    // After a refused import, the user sends only the corrected files.
    const after = last?.phase === 'refused' ? { after: last.id } : {}
    lastImport.show(await ask(imports.beginImport, { body: { uploadId: id, ...after } }))
  },
})

export async function startImport(id: string): Promise<void> {
  lastImport.show(await ask(imports.startImport, { params: { id } }))
}

export async function giveUpImport(id: string): Promise<void> {
  await ask(imports.cancelImport, { params: { id } })
  lastImport.show(null)
}

export const downloadTemplate = (locale: Language): Promise<void> =>
  saveCsv(ask(imports.getImportTemplate, { query: { locale } }), 'catalogue.csv')
