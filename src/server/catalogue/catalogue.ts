// The public interface of catalogue: the rest of the server imports only this file.

export { writeCatalogueVersion } from './admin/restore.ts'
export { presentMappingOf } from './cover-mappings.ts'
export { openCatalogue } from './documents.ts'
export {
  KEPT_COLUMNS,
  KEPT_TABLES,
  type KeptDocument,
  presentKept,
  requirePublished,
} from './kept-documents.ts'
export { presentNamed } from './names.ts'
export { LASTING_PATHS, pagePaths } from './page-paths.ts'
export { presentTeacher, type TeacherRow } from './present.ts'
export { IS_PUBLIC, type PublicTable, publicIds } from './public-ids.ts'
export {
  fillSchoolLists,
  readSchoolLists,
  type SchoolLists,
  writeSchoolLists,
} from './school-lists.ts'
export {
  conditionsOf,
  rewriteSearchTexts,
  searchedNames,
  searchText,
} from './search/search-text.ts'
export { findTeacher } from './teachers.ts'
