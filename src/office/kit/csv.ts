import { saveFile } from '../../stores/shared/browser.ts'

/** Saves the CSV of a call's response as a file. Throws an `ApiError`. */
export async function saveCsv(response: Promise<unknown>, name: string): Promise<void> {
  const csv = await response
  // Decoding the response removed the byte order mark, which spreadsheets need to recognise UTF-8.
  saveFile(new Blob([`\uFEFF${String(csv)}`], { type: 'text/csv;charset=utf-8' }), name)
}
