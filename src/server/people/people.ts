export { findPerson, nameOf, newestPeople, type PersonRow, stateOf } from './find-people.ts'
export { mergeAccounts, mergeAct } from './merge.ts'
export { administratorAct, codeAct } from './with-a-second.ts'
