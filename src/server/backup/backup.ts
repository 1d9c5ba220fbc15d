export { BadBackup, checkBackup } from './backup-file.ts'
export {
  checkForRestore,
  type RestoredShop,
  restoreBackup,
  restoreEmbedded,
} from './restore-backup.ts'
export { type Progress, takeBackup } from './take-backup.ts'
