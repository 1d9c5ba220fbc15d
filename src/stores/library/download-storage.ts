/** A document in the version that its owner gets now, or in an earlier one that is still offered. */
export interface DownloadItem {
  documentId: number
  version?: number | undefined
}

/** Whose download, and of what. */
export interface DownloadKey {
  userId: number
  documentId: number
  /** 0: the version that its owner gets now. */
  version: number
}

/** The page on which a download was started: the two word the server's failures differently. */
export type ReadingPlace = 'details' | 'library'

/** A download that has not ended. */
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
  /** Of the whole file, as the answer with this part said. */
  total: number | null
  etag: string | null
  mediaType: string
}

interface Records {
  jobs: DownloadJob
  parts: DownloadPart
}
type Store = keyof Records

/** Where downloads are kept until they are whole. */
export interface DownloadStorage {
  /** Replaces the record of the same document, and of the same start. Throws `StorageFull`. */
  put<S extends Store>(store: S, record: Records[S]): Promise<void>
  /** In the order of users, documents, versions and starts. */
  all<S extends Store>(store: S, key?: DownloadKey): Promise<Records[S][]>
  remove(stores: readonly Store[], key?: DownloadKey): Promise<void>
}

/** There is no space left on the device, or none for this shop. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull'
}

const DATABASE = 'karras-downloads'
/** Another number begins with empty stores. */
const SHAPE = 2
const KEY = ['userId', 'documentId', 'version']
const STORES: Readonly<Record<Store, string[]>> = { jobs: KEY, parts: [...KEY, 'start'] }
export const ALL_STORES: readonly Store[] = ['jobs', 'parts']

let opened: Promise<DownloadStorage> | undefined

/**
 * Opens the storage of this browser: IndexedDB, whose blobs are files even on old phones; where it is
 * missing or does not work, memory, which a reload empties.
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

/** Some private windows open a database and then take no blobs. */
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
      // Somebody deletes the database, which must not wait for this page.
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
        // It must not end with a page that is being left.
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

/** Deletes all downloads that have not ended, of whomever; a failure only leaves them there. */
export async function dropDownloads(): Promise<void> {
  const storage = await downloadStorage()
  await storage.remove(ALL_STORES).catch(() => undefined)
}
