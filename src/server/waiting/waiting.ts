// The face of what waits: the rest of the server uses only this.

export { readWaiting } from './read-waiting.ts'
export { checkLedgerAndNote, noteBackup } from './upkeep.ts'
