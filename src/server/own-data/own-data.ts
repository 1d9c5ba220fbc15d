export { deleteAgain, deleteDue, keepListIn } from './deletions.ts'
export { EXPORTS, makeExports, readLeaving } from './exports.ts'
