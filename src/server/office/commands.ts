import { backupCommands } from './backup.ts'
import { chatCommands } from './chat.ts'
import type { AnyCommand } from './command.ts'
import { importCommands } from './import.ts'
import { ledgerCommands } from './ledger.ts'
import { mailCommands } from './mails.ts'
import { orderCommands } from './orders.ts'
import { paymentCommands } from './payments.ts'
import { payoutCommands } from './payouts.ts'
import { ratingCommands } from './ratings.ts'
import { shareCommands } from './shares.ts'
import { staffCommands } from './staff.ts'
import { userCommands } from './users.ts'

/** Every command, in the order of the help. */
export const COMMANDS: readonly AnyCommand[] = [
  ...paymentCommands,
  ...orderCommands,
  ...importCommands,
  ...payoutCommands,
  ...shareCommands,
  ...ledgerCommands,
  ...backupCommands,
  ...ratingCommands,
  ...chatCommands,
  ...mailCommands,
  ...staffCommands,
  ...userCommands,
]
