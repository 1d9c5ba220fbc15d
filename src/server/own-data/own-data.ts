export {
  askedDeletions,
  deleteAgain,
  deleteDue,
  keepAccount,
  keepListIn,
  returnAct,
} from './deletions.ts'
export { EXPORTS, endExport, makeExports, readLeaving } from './exports.ts'
