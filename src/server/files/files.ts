// The public interface of files: the rest of the server imports only this file.

export type { ByteRange } from './blobs.ts'
export { directoryBlobs } from './directory-blobs.ts'
export { forgetOldest } from './forget-oldest.ts'
export { readIfThere, readTextIfThere } from './read-if-there.ts'
export {
  hashIn,
  KEY,
  keyOf,
  openStorage,
  type Storage,
  type StoredFile,
  storageIn,
} from './storage.ts'
export { StorageUnavailable } from './unavailable.ts'
export { writeWhole, writeWholeSync } from './write-whole.ts'
