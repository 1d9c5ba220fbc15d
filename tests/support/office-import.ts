import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { COLUMN_NAMES, type Column } from '../../src/server/documents/import/columns.ts'
import { csvOf } from '../../src/server/documents/import/export.ts'
import type { TestApp } from './app.ts'
import { runOperator } from './operator.ts'

// Lists of documents on disk, and the command that imports them.

type RowValues = Partial<Record<Column, string>>

export const ROW: RowValues = {
  title: 'تمارين في الكسور',
  description: 'عشرون تمرينا',
  price: '12.5',
  subject: 'mathematics',
  class: 'primary-6',
  category: 'exercises',
  teacher_email: 'salma@mail.example',
  teacher_first_name: 'سلمى',
  teacher_last_name: 'بن عمر',
  file: 'a.pdf',
}

export async function put(
  folder: string,
  name: string,
  content: Uint8Array | string,
): Promise<void> {
  await mkdir(join(folder, name, '..'), { recursive: true })
  await writeFile(join(folder, name), content)
}

/** Writes the list; rows give only the columns that differ from `ROW`. */
export async function list(folder: string, rows: readonly RowValues[]): Promise<void> {
  const whole = rows.map((row) => ({
    ...Object.fromEntries(COLUMN_NAMES.map((name) => [name, ''])),
    ...ROW,
    ...row,
  }))
  await put(folder, 'catalogue.csv', csvOf(whole as Record<Column, string>[]))
}

export async function office(on: TestApp, ...typed: string[]) {
  const env = { DATABASE_URL: on.databaseUrl, DATA_DIR: on.deps.config.dataDir, SITE_URL: on.url }
  const { exit, out, err } = await runOperator(typed, env)
  const linesOf = (text: string) => (text === '' ? [] : text.split('\n'))
  return { exit, lines: linesOf(out), errors: linesOf(err) }
}

export const importIt = async (app: TestApp, folder: string, on = app) => {
  const { exit, lines, errors } = await office(on, 'import', folder, '--json')
  return { exit, errors, json: lines[0] === undefined ? null : JSON.parse(lines[0]) }
}

/** Everything that an import may write. */
export async function written(app: TestApp, on = app) {
  const count = async (table: 'documents' | 'files' | 'teachers' | 'documentVersions') => {
    const row = await on.deps.database.kysely
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(row.count)
  }
  const stored: string[] = []
  for await (const { key } of on.deps.files.list()) stored.push(key)
  return {
    documents: await count('documents'),
    files: await count('files'),
    teachers: await count('teachers'),
    versions: await count('documentVersions'),
    stored: stored.length,
  }
}
