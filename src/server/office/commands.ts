import { chatCommands } from './chat.ts'
import type { Command } from './command.ts'
import { ledgerCommands } from './ledger.ts'
import { orderCommands } from './orders.ts'
import { paymentCommands } from './payments.ts'
import { ratingCommands } from './ratings.ts'

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...paymentCommands,
  ...orderCommands,
  ...ledgerCommands,
  ...ratingCommands,
  ...chatCommands,
]
