import { chatCommands } from './chat.ts'
import type { Command } from './command.ts'
import { ledgerCommands } from './ledger.ts'
import { mailCommands } from './mails.ts'
import { orderCommands } from './orders.ts'
import { paymentCommands } from './payments.ts'

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...paymentCommands,
  ...orderCommands,
  ...ledgerCommands,
  ...chatCommands,
  ...mailCommands,
]
