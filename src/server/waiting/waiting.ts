// The face of the list of waiting work: the rest of the server uses only this.

export { readWaiting } from './read-waiting.ts'
export { checkLedgerAndNote, noteBackup } from './upkeep.ts'
