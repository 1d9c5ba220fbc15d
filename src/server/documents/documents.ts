// The face of documents: the rest of the server uses only this.

export { writeFirstVersions } from './first-versions.ts'
