// The face of people: the rest of the server uses only this.

export { findPeople, findPerson, nameOf, type PersonRow, stateOf } from './find-people.ts'
export { mergeAccounts, previewMerge } from './merge.ts'
export { readLog } from './read-log.ts'
