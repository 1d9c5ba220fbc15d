import { COLUMN_NAMES, type Column } from '../../src/server/documents/import/columns.ts'
import { csvOf } from '../../src/server/documents/import/export.ts'
import { aPdf } from '../support/pdf.ts'

/**
 * The files of a list of `count` documents by name, each document with its own PDF; `own` makes it
 * a teacher's list, without the teachers' column.
 */
export function listFiles(
  count: number,
  { own = false } = {},
): Record<string, Uint8Array | string> {
  const files: Record<string, Uint8Array | string> = {}
  const rows = Array.from({ length: count }, (_, at) => ({
    ...Object.fromEntries(COLUMN_NAMES.map((name) => [name, ''])),
    reference: `KILL-${at}`,
    title: `وثيقة عدد ${at}`,
    price: String(1 + (at % 40)),
    subject: 'mathematics',
    class: 'primary-6',
    category: 'exercises',
    ...(!own && {
      teacher_email: `teacher${at % 5}@import.example`,
      teacher_first_name: 'سلمى',
      teacher_last_name: `بن عمر ${at % 5}`,
    }),
    file: `files/${at}.pdf`,
  })) as Record<Column, string>[]
  for (const [at] of rows.entries()) {
    files[`files/${at}.pdf`] = aPdf(`${own ? 'Own' : 'Import'} ${at}`, 1 + (at % 4))
  }
  return { ...files, 'catalogue.csv': csvOf(rows) }
}
