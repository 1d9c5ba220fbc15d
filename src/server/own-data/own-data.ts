export {
  askedDeletions,
  deleteAgain,
  deleteDue,
  deleteQuietly,
  endUnapproved,
  giveUpAct,
  keepAccount,
  keepListIn,
  moneyIsGivenUp,
  requireNoReturn,
  returnAct,
} from './deletions.ts'
export { EXPORTS, endExport, makeExports, readLeaving } from './exports.ts'
