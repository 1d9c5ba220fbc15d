// The public interface of uploads: the rest of the server imports only this file.

export type { ArchivedFile } from './archive.ts'
export { archivesFor, type Zip } from './archives.ts'
export { type ArrivedFile, checkFile, localFile } from './check-file.ts'
export { cleanUpFiles } from './clean-up-files.ts'
export { aside } from './finish.ts'
export { oldest } from './rows.ts'
export { type TakenFile, takeUpload } from './take.ts'
export { uploadFile } from './upload-file.ts'
