// The public interface of the list of waiting work: the rest of the server imports only this file.

export { queuesFor } from './queues.ts'
export { readWaiting } from './read-waiting.ts'
export { checkLedgerAndNote, noteBackup, noteRestore, readUpkeep, restoredFrom } from './upkeep.ts'
