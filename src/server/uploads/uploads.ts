// The face of uploads: the rest of the server uses only this.

export { cleanUpFiles } from './clean-up-files.ts'
export { type TakenFile, takeUpload } from './take.ts'
