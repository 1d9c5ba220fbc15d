import { forgetKept, keep, kept } from '../kept.ts'

/** An unfinished upload, stored in this browser across reloads. */
interface RememberedUpload {
  id: string
  name: string
  size: number
  /** Null if the browser could not store the file; the user must then choose it again. */
  file: File | null
  /** Whether the server has checked the whole file; it may also have used it already. */
  isChecked: boolean
}

const DATABASE = 'karras-office'
const STORE = 'files'

/** Stores an upload, with its file if the browser has room for it. */
export async function rememberUpload(name: string, id: string, file: File): Promise<void> {
  keep(name, { id, name: file.name, size: file.size })
  await inFiles('readwrite', (files) => files.put(file, id)).catch(() => undefined)
}

/** Stores that the server has checked the whole file of an upload. */
export function noteChecked(name: string, id: string, file: Pick<File, 'name' | 'size'>): void {
  keep(name, { id, name: file.name, size: file.size, isChecked: true })
}

/** The unfinished upload stored under this name, or null. */
export async function recallUpload(name: string): Promise<RememberedUpload | null> {
  const note = kept(name)
  if (typeof note !== 'object' || note === null) return null
  const { id, name: fileName, size, isChecked } = note as Record<string, unknown>
  if (typeof id !== 'string' || typeof fileName !== 'string' || typeof size !== 'number')
    return null
  const file = await inFiles('readonly', (files) => files.get(id)).catch(() => undefined)
  const storedFile = file instanceof File ? file : null
  return { id, name: fileName, size, file: storedFile, isChecked: isChecked === true }
}

export async function forgetUpload(name: string, id: string): Promise<void> {
  forgetKept(name)
  await inFiles('readwrite', (files) => files.delete(id)).catch(() => undefined)
}

/** Deletes all stored files, for all users. */
export function forgetAllUploads(): void {
  try {
    indexedDB.deleteDatabase(DATABASE)
  } catch {
    // The browser forbids storage, so no file is stored.
  }
}

/** Performs one operation on the stored files; rejects if the browser's storage is unavailable. */
function inFiles<T>(
  mode: IDBTransactionMode,
  work: (files: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const database = opening.result
      const transaction = database.transaction(STORE, mode)
      const request = work(transaction.objectStore(STORE))
      transaction.oncomplete = () => {
        database.close()
        resolve(request.result)
      }
      transaction.onabort = () => {
        database.close()
        reject(transaction.error)
      }
    }
  })
}
