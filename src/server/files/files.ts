// The face of files: the rest of the server uses only this.

export { KEY, type Storage, type StoredFile, storageIn } from './storage.ts'
export { writeWhole, writeWholeSync } from './write-whole.ts'
