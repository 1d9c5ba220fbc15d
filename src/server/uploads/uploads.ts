// The face of uploads: the rest of the server uses only this.

export { type ArrivedFile, type CheckedFile, checkFile, checkPicture } from './check-file.ts'
export { cleanUpFiles } from './clean-up-files.ts'
export { type TakenFile, takeUpload } from './take.ts'
