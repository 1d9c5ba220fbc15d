export type { ByteRange } from './blobs.ts'
export { directoryBlobs, forgetOldest, StorageUnavailable } from './blobs.ts'
export {
  hashIn,
  isReadableByAnybody,
  KEY,
  keyOf,
  openStorage,
  type Storage,
  type StoredFile,
  storageIn,
} from './storage.ts'
export {
  readIfThere,
  readTextIfThere,
  writeWhole,
  writeWholeSync,
} from './whole-files.ts'
