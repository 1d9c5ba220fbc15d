export { deleteAgain, deleteDue, keepListIn, returnAct } from './deletions.ts'
export { EXPORTS, makeExports, readLeaving } from './exports.ts'
