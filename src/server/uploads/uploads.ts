// The public interface of uploads: the rest of the server imports only this file.

export { type ArchivedFile, listArchive, unpackEntry } from './archive.ts'
export { type ArrivedFile, checkFile, checkPicture } from './check-file.ts'
export { cleanUpFiles } from './clean-up-files.ts'
export { aside } from './finish.ts'
export { oldest } from './rows.ts'
export { type TakenFile, takeUpload } from './take.ts'
