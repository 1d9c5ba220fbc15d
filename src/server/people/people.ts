export { findPerson, nameOf, type PersonRow, stateOf } from './find-people.ts'
export { mergeAccounts } from './merge.ts'
