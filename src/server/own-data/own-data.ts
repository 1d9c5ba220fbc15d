export { deleteAgain, deleteDue, keepListIn } from './deletions.ts'
export { makeExports } from './exports.ts'
