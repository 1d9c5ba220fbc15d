/** The tasks that keep the shop safe, whose last run is noted: backups, and checks of the ledger. */
export const UPKEEP_TASKS = ['backup', 'ledger'] as const
export type UpkeepTask = (typeof UPKEEP_TASKS)[number]

/** What opens a shop, in the order in which it is done. */
export const OPENING_STEPS = [
  'name',
  'contact',
  'account',
  'mail',
  'pages',
  'document',
  'backup',
] as const
export type OpeningStep = (typeof OPENING_STEPS)[number]
