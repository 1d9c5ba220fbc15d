import { type Problem, problemOf } from '../shared/problem.ts'
import { saveFile } from '../shared/save-file.ts'

/** Saves what a call answers as CSV under a name; returns the problem, if any. */
export async function saveCsv(read: () => Promise<unknown>, name: string): Promise<Problem | null> {
  try {
    const csv = await read()
    // Reading it as text removed the byte order mark, without which Excel does not recognise UTF-8.
    saveFile(new Blob([`\uFEFF${String(csv)}`], { type: 'text/csv;charset=utf-8' }), name)
    return null
  } catch (error) {
    return problemOf(error)
  }
}
