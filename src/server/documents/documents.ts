// The face of documents: the rest of the server uses only this.

export { writeFirstVersions } from './first-versions.ts'
export { BYTE_ORDER_MARK, exportFolder } from './import/export.ts'
export { LIST_NAMES, NoList } from './import/folder.ts'
export { importFolder } from './import/import.ts'
export { type ImportProblem, ImportRefused, type ProblemCode } from './import/problems.ts'
export { LIST_MAX_ROWS } from './import/read-list.ts'
export { FileChanged } from './import/store-files.ts'
export { templateOf } from './import/template.ts'
