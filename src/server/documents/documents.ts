export { resumeBulkChanges } from './bulk/bulk-changes.ts'
export { lastChanged } from './bulk/choose.ts'
export { correctionMailWriters, mergeWaits, tellOfCorrections } from './correction-waits.ts'
export { BYTE_ORDER_MARK, exportFolder, ownTemplateOf, templateOf } from './import/export.ts'
export type { FoundFiles } from './import/files.ts'
export { FileChanged } from './import/files.ts'
export { checkList, importFolder, importList } from './import/import.ts'
export { customerOf, type ListOwner } from './import/owner.ts'
export {
  type ImportProblem,
  ImportRefused,
  type ProblemCode,
  problemOfList,
} from './import/problems.ts'
export { LIST_NAMES, NoList, openPackages } from './import/sources.ts'
export { unpublish, withdraw } from './life.ts'
export { findDocument, listDocuments, lookForSoldFiles } from './read-documents.ts'
export { reportMailWriters } from './report-mails.ts'
export { accept, returnToTeacher, WAITING_FOR_REVIEW } from './review.ts'
export { turnDiscounts } from './timed-discounts.ts'
export { writeFirstVersions } from './versions.ts'
export { saveText } from './write.ts'
