// The public interface of the list of waiting work: the rest of the server imports only this file.

export { readWaiting } from './read-waiting.ts'
export { checkLedgerAndNote, noteBackup } from './upkeep.ts'
