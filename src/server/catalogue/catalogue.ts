// The face of catalogue: the rest of the server uses only this.

export { findDocument, newestDocuments } from './documents.ts'
export {
  KEPT_COLUMNS,
  KEPT_TABLES,
  type KeptDocument,
  presentKept,
  requirePublished,
} from './kept-documents.ts'
export { presentTeacher, type TeacherRow } from './present.ts'
export { publicIds } from './public-ids.ts'
export {
  fillSchoolLists,
  readSchoolLists,
  type SchoolLists,
  writeSchoolLists,
} from './school-lists.ts'
export { rewriteSearchTexts, searchText } from './search-text.ts'
export { findTeacher } from './teachers.ts'
