import { forgetKept, keep, kept } from './kept.ts'

/** An upload under way as this browser remembers it over a reload. */
export interface RememberedUpload {
  id: string
  name: string
  size: number
  /** Null where the browser would not keep the file: it is to be chosen again. */
  file: File | null
}

const DATABASE = 'karras-office'
const STORE = 'files'

/** Remembers an upload, with its file where the browser has room for it. */
export async function rememberUpload(name: string, id: string, file: File): Promise<void> {
  keep(name, { id, name: file.name, size: file.size })
  await inFiles('readwrite', (files) => files.put(file, id)).catch(() => undefined)
}

/** The upload that was under way under this name, or null. */
export async function recallUpload(name: string): Promise<RememberedUpload | null> {
  const note = kept(name)
  if (typeof note !== 'object' || note === null) return null
  const { id, name: fileName, size } = note as Record<string, unknown>
  if (typeof id !== 'string' || typeof fileName !== 'string' || typeof size !== 'number')
    return null
  const file = await inFiles('readonly', (files) => files.get(id)).catch(() => undefined)
  return { id, name: fileName, size, file: file instanceof File ? file : null }
}

export async function forgetUpload(name: string, id: string): Promise<void> {
  forgetKept(name)
  await inFiles('readwrite', (files) => files.delete(id)).catch(() => undefined)
}

/** Forgets every file that anybody has left in this browser. */
export function forgetAllUploads(): void {
  try {
    indexedDB.deleteDatabase(DATABASE)
  } catch {
    // Storage is forbidden here: there is nothing.
  }
}

/** Does one thing with the kept files; rejects where the browser has no place for them. */
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
