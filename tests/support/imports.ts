import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import * as documents from '../../src/contract/office-documents.ts'
import * as imports from '../../src/contract/office-imports.ts'
import { pack } from '../../src/office/teacher/imports/pack.ts'
import { OWN_COLUMNS } from '../../src/server/documents/import/columns.ts'
import type { TestApp } from './app.ts'
import type { Person } from './factories.ts'
import { upload } from './uploads.ts'

// Lists of documents in a ZIP, as a teacher uploads and imports them.

export type Files = Readonly<Record<string, Uint8Array | string>>
export type RowValues = Partial<Record<(typeof OWN_COLUMNS)[number] | 'teacher_email', string>>

export const ROW: RowValues = {
  title: 'تمارين في الكسور',
  description: 'عشرون تمرينا',
  price: '12.5',
  subject: 'الرياضيات',
  class: 'primary-6',
  category: 'Exercices',
  file: 'a.pdf',
}

/** A list in CSV; rows give only the columns that differ from `ROW`. */
export function csv(rows: readonly RowValues[], extra: readonly string[] = []): string {
  const columns = [...OWN_COLUMNS, ...extra] as (keyof RowValues)[]
  const lines = rows.map((row) => columns.map((name) => ({ ...ROW, ...row })[name] ?? '').join(';'))
  return [columns.join(';'), ...lines].join('\r\n')
}

export async function zip(files: Files): Promise<Buffer> {
  const chosen = Object.entries(files).map(([name, content]) => ({
    name,
    file: new File([content as BlobPart], name.split('/').at(-1) ?? ''),
  }))
  return Buffer.from(await (await pack(chosen)).arrayBuffer())
}

export const send = async (app: TestApp, as: Person & { teacherId: number }, files: Files) =>
  await upload(app, as, await zip(files), { purpose: 'import', name: 'list.zip' })

export const last = async (app: TestApp, as: Person & { teacherId: number }) =>
  (await app.call(imports.getImport, { as })).last

/** Uploads files, has them checked, and returns the result. */
export async function check(
  app: TestApp,
  as: Person & { teacherId: number },
  files: Files,
  after?: string,
) {
  const { id } = await send(app, as, files)
  const body = { uploadId: id, ...(after && { after }) }
  const started = await app.call(imports.beginImport, { as, body })
  expect(started).toMatchObject({ phase: 'checking', name: 'list.zip' })
  await app.runJobs()
  return await last(app, as)
}

export async function start(app: TestApp, as: Person & { teacherId: number }, id: string) {
  await app.call(imports.startImport, { as, params: { id } })
  await app.runJobs()
  return await last(app, as)
}

export const own = async (app: TestApp, as: Person & { teacherId: number }) =>
  (await app.call(documents.listOwnDocuments, { as, query: { size: 50, sort: 'title' } })).content

export async function filesAside(app: TestApp): Promise<string[]> {
  return await readdir(join(app.deps.config.dataDir, 'uploads')).catch(() => [])
}

export const problemsOf = (found: Awaited<ReturnType<typeof last>>) =>
  found?.problems.map(({ row, column, code, detail }) => [row, column, code, detail])
