import { type Problem, problemOf } from '../shared/problem.ts'
import { saveFile } from '../shared/save-file.ts'

/** Saves the CSV that `read` returns as a file; returns the problem, if any. */
export async function saveCsv(read: () => Promise<unknown>, name: string): Promise<Problem | null> {
  try {
    const csv = await read()
    // Decoding the response removed the byte order mark, which Excel needs to recognise UTF-8.
    saveFile(new Blob([`\uFEFF${String(csv)}`], { type: 'text/csv;charset=utf-8' }), name)
    return null
  } catch (error) {
    return problemOf(error)
  }
}
