// The public interface of people: the rest of the server imports only this file.

export { findPerson, nameOf, type PersonRow, stateOf } from './find-people.ts'
export { mergeAccounts } from './merge.ts'
