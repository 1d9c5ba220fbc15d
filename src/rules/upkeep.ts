/** The tasks that keep the shop safe, whose last run is noted: backups, and checks of the ledger. */
export const UPKEEP_TASKS = ['backup', 'ledger'] as const
export type UpkeepTask = (typeof UPKEEP_TASKS)[number]
