/** A document in its current version, or in an earlier one that is still offered. */
export interface DownloadItem {
  documentId: number
  version?: number | undefined
}

export interface DownloadKey {
  userId: number
  documentId: number
  /** 0 is the current version. */
  version: number
}

/** Where a download was started; the two pages word the server's failures differently. */
export type ReadingPlace = 'details' | 'library'

export interface DownloadJob extends DownloadKey {
  title: string
  fileType?: string
  place: ReadingPlace
  isPaused: boolean
  /** In ms since 1970. */
  addedAt: number
}

/** Bytes of a file that have arrived, from `start` on. */
export interface DownloadPart extends DownloadKey {
  start: number
  bytes: Blob
  /** The size of the whole file in bytes, from the answer with this part. */
  total: number | null
  etag: string | null
  mediaType: string
}

interface Records {
  jobs: DownloadJob
  parts: DownloadPart
}
type Store = keyof Records

export interface DownloadStorage {
  /** Replaces the record with the same key. Throws `StorageFull`. */
  put<S extends Store>(store: S, record: Records[S]): Promise<void>
  /** Sorted by user, document, version and start. */
  all<S extends Store>(store: S, key?: DownloadKey): Promise<Records[S][]>
  remove(stores: readonly Store[], key?: DownloadKey): Promise<void>
}

/** The device, or the browser's quota for this shop, has no space left. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull'
}

const DATABASE = 'karras-downloads'
/** The database version; a changed number starts with empty stores. */
const SHAPE = 2
const KEY = ['userId', 'documentId', 'version']
const STORES: Readonly<Record<Store, string[]>> = { jobs: KEY, parts: [...KEY, 'start'] }
export const ALL_STORES: readonly Store[] = ['jobs', 'parts']

let opened: Promise<DownloadStorage> | undefined

/**
 * Opens this browser's storage: IndexedDB, whose blobs are files even on old phones; if it is
 * missing or does not work, memory, which a reload clears.
 */
export function downloadStorage(): Promise<DownloadStorage> {
  opened ??= openDatabase()
    .then(async (database) => {
      const storage = inDatabase(database)
      await probe(storage)
      return storage
    })
    .catch(inMemory)
  return opened
}

const NOBODY = { userId: 0, documentId: 0, version: 0 }

/** Some private windows open a database but refuse to store blobs. */
async function probe(storage: DownloadStorage): Promise<void> {
  const bytes = new Blob(['?'])
  await storage.put('parts', { ...NOBODY, start: 0, bytes, total: 1, etag: null, mediaType: '' })
  const [part] = await storage.all('parts', NOBODY)
  await storage.remove(['parts'], NOBODY)
  if (part?.bytes.size !== 1) throw new Error('no blobs')
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, SHAPE)
    request.onupgradeneeded = () => {
      const { result: database } = request
      for (const old of [...database.objectStoreNames]) database.deleteObjectStore(old)
      for (const store of ALL_STORES) database.createObjectStore(store, { keyPath: STORES[store] })
    }
    request.onsuccess = () => {
      // Another page deletes the database, which must not wait for this page.
      request.result.onversionchange = () => request.result.close()
      resolve(request.result)
    }
    request.onerror = () => reject(request.error)
    request.onblocked = reject
  })
}

function inDatabase(database: IDBDatabase): DownloadStorage {
  const inTransaction = <T>(
    stores: readonly Store[],
    mode: IDBTransactionMode,
    work: (transaction: IDBTransaction) => IDBRequest<T> | undefined,
  ) =>
    new Promise<T | undefined>((resolve, reject) => {
      const transaction = database.transaction([...stores], mode)
      const fail = () => {
        const { error } = transaction
        reject(error?.name === 'QuotaExceededError' ? new StorageFull() : error)
      }
      transaction.onabort = fail
      transaction.onerror = fail
      const request = work(transaction)
      transaction.oncomplete = () => resolve(request?.result)
    })
  return {
    put: async (store, record) => {
      await inTransaction([store], 'readwrite', (transaction) =>
        transaction.objectStore(store).put(record),
      )
    },
    all: async (store, key) =>
      (await inTransaction([store], 'readonly', (transaction) =>
        transaction.objectStore(store).getAll(key && rangeOf(key)),
      )) ?? [],
    remove: async (stores, key) => {
      await inTransaction(stores, 'readwrite', (transaction) => {
        for (const store of stores) {
          const records = transaction.objectStore(store)
          if (key) records.delete(rangeOf(key))
          else records.clear()
        }
        // Commit at once, so that leaving the page does not abort the transaction.
        transaction.commit?.()
        return undefined
      })
    },
  }
}

/** All records of a download, whose keys begin with the same numbers. */
const rangeOf = ({ userId, documentId, version }: DownloadKey) =>
  IDBKeyRange.bound([userId, documentId, version], [userId, documentId, version, []])

function inMemory(): DownloadStorage {
  const records: { [S in Store]: Records[S][] } = { jobs: [], parts: [] }
  const isOf = (key: DownloadKey | undefined) => (record: DownloadKey) =>
    !key ||
    (record.userId === key.userId &&
      record.documentId === key.documentId &&
      record.version === key.version)
  const startOf = (record: object) => ('start' in record ? Number(record.start) : 0)
  return {
    async put(store, record) {
      const isSame = (other: DownloadKey) =>
        isOf(record)(other) && startOf(other) === startOf(record)
      const others = records[store].filter((other) => !isSame(other))
      Object.assign(records, { [store]: [...others, record] })
    },
    async all(store, key) {
      const found = records[store].filter(isOf(key)) as Records[typeof store][]
      return found.sort((a, b) => startOf(a) - startOf(b))
    },
    async remove(stores, key) {
      for (const store of stores) {
        const left = (records[store] as DownloadKey[]).filter((record) => !isOf(key)(record))
        Object.assign(records, { [store]: left })
      }
    },
  }
}

/** Deletes the downloads of all users; if it fails, they stay. */
export async function dropDownloads(): Promise<void> {
  const storage = await downloadStorage()
  await storage.remove(ALL_STORES).catch(() => undefined)
}
