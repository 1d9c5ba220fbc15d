import { backupCommands } from './backup.ts'
import { bulkChangeCommands } from './bulk-changes.ts'
import { chatCommands } from './chat.ts'
import { closingCommands } from './closing.ts'
import type { AnyCommand } from './command.ts'
import { conversationCommands } from './conversations.ts'
import { differenceCommands } from './differences.ts'
import { documentCommands } from './documents.ts'
import { figureCommands } from './figures.ts'
import { importCommands } from './import.ts'
import { interfaceTextCommands } from './interface-texts.ts'
import { invitationCommands } from './invitations.ts'
import { ledgerCommands } from './ledger.ts'
import { listCommands } from './lists.ts'
import { logCommands } from './log.ts'
import { mailCommands } from './mails.ts'
import { mergeCommands } from './merge.ts'
import { orderCommands } from './orders.ts'
import { paymentCommands } from './payments.ts'
import { payoutCommands } from './payouts.ts'
import { questionCommands } from './questions.ts'
import { ratingCommands } from './ratings.ts'
import { reviewCommands } from './review.ts'
import { secondFactorCommands } from './second-factor.ts'
import { shareCommands } from './shares.ts'
import { siteTextCommands } from './site-texts.ts'
import { stampCommands } from './stamps.ts'
import { profileCommands } from './teacher.ts'
import { teacherCommands } from './teachers.ts'
import { userCommands } from './users.ts'
import { versionCommands } from './version.ts'
import { waitingCommands } from './waiting.ts'
import { walletCommands } from './wallets.ts'

/** Every command, in the order of the help. */
export const COMMANDS: readonly AnyCommand[] = [
  ...waitingCommands,
  ...paymentCommands,
  ...differenceCommands,
  ...orderCommands,
  ...walletCommands,
  ...importCommands,
  ...payoutCommands,
  ...shareCommands,
  ...ledgerCommands,
  ...closingCommands,
  ...figureCommands,
  ...backupCommands,
  ...documentCommands,
  ...stampCommands,
  ...bulkChangeCommands,
  ...reviewCommands,
  ...ratingCommands,
  ...chatCommands,
  ...conversationCommands,
  ...questionCommands,
  ...mailCommands,
  ...invitationCommands,
  ...teacherCommands,
  ...profileCommands,
  ...siteTextCommands,
  ...interfaceTextCommands,
  ...listCommands,
  ...secondFactorCommands,
  ...userCommands,
  ...mergeCommands,
  ...logCommands,
  ...versionCommands,
]
