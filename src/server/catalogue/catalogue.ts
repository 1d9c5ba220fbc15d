export { namesOf, readEntries } from './admin/lists.ts'
export { writeCatalogueVersion } from './admin/restore.ts'
export { calendarOf, readCalendar, shownCalendar } from './calendar.ts'
export { openCatalogue } from './documents.ts'
export {
  KEPT_COLUMNS,
  KEPT_TABLES,
  type KeptDocument,
  presentKept,
  presentMappingOf,
  requirePublished,
} from './kept-documents.ts'
export { readListed } from './listed.ts'
export { presentChapter, presentNamed } from './names.ts'
export {
  IS_PUBLIC,
  LASTING_PATHS,
  levelPath,
  levelsForSale,
  type PublicTable,
  pagePaths,
  publicIds,
} from './page-paths.ts'
export { presentTeacher, type TeacherRow } from './present.ts'
export { programmePaths } from './programme.ts'
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
