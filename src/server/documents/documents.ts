// The face of documents: the rest of the server uses only this.

export { writeFirstVersions } from './first-versions.ts'
export { eventsOf, versionsOf } from './history.ts'
export { publishAgain, unpublish } from './life.ts'
export { listDocuments } from './list.ts'
export { type DocumentRow, findDocument } from './read-documents.ts'
export { accept, returnToTeacher, waitingForReview } from './review.ts'
export { saveText } from './write.ts'
