// The public interface of documents: the rest of the server imports only this file.

export { resumeBulkChanges } from './bulk/bulk-changes.ts'
export { writeFirstVersions } from './first-versions.ts'
export type { FoundFiles } from './import/check-files.ts'
export { BYTE_ORDER_MARK, exportFolder } from './import/export.ts'
export { LIST_NAMES, NoList } from './import/folder.ts'
export { checkList, importFolder, importList } from './import/import.ts'
export { customerOf, type ListOwner } from './import/owner.ts'
export { openPackages } from './import/packages.ts'
export {
  type ImportProblem,
  ImportRefused,
  type ProblemCode,
  problemOfList,
} from './import/problems.ts'
export { FileChanged } from './import/store-files.ts'
export { ownTemplateOf, templateOf } from './import/template.ts'
export { unpublish } from './life.ts'
export { findDocument, lookForSoldFiles } from './read-documents.ts'
export { WAITING_FOR_REVIEW } from './read-review.ts'
export { accept, returnToTeacher } from './review.ts'
export { turnDiscounts } from './timed-discounts.ts'
export { saveText } from './write.ts'
