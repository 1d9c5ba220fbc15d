export {
  askedDeletions,
  deleteAgain,
  deleteDue,
  giveUpAct,
  keepAccount,
  keepListIn,
  returnAct,
} from './deletions.ts'
export { EXPORTS, endExport, makeExports, readLeaving } from './exports.ts'
