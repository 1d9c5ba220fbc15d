// The public interface of backup: the rest of the server imports only this file.

export { BadBackup } from './format.ts'
export { checkBackup } from './read-backup.ts'
export { checkForRestore, type RestoredShop, restoreBackup } from './restore-backup.ts'
export { restoreEmbedded } from './restore-embedded.ts'
export { type Progress, takeBackup } from './take-backup.ts'
