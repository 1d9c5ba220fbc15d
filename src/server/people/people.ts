// The public interface of people: the rest of the server imports only this file.

export { findPeople, findPerson, nameOf, type PersonRow, stateOf } from './find-people.ts'
export { mergeAccounts, previewMerge } from './merge.ts'
export { readLog } from './read-log.ts'
