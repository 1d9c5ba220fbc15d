import { DOCUMENT_ACTIONS } from './document-life.ts'

/** The actions on documents, by their names in the log. */
const ON_DOCUMENTS = DOCUMENT_ACTIONS.map((action) => `document: ${action}` as const)

/**
 * All actions of the staff log; `logStaff` accepts no others. A new action needs a line here and
 * its text under `actions` in `locales/<lang>/office-log.json`.
 */
export const STAFF_ACTIONS = [
  'see',
  'log in',
  'accept invitation',
  'open account',
  'change password',
  'reset password',
  'change email',
  'change phone',
  'end sessions',
  'set up second factor',
  'turn off second factor',
  'reset second factor',
  'make recovery codes',
  'use recovery code',
  'block',
  'unblock',
  'send password link',
  'read out code',
  'invite administrator',
  'invite teacher',
  'withdraw invitation',
  'accept teacher',
  'refuse teacher',
  'merge',
  'take over account',
  'export data',
  'ask for deletion',
  'keep account',
  'return money',
  'delete account',
  ...ON_DOCUMENTS,
  'document: change',
  'answer report',
  'close report',
  'change documents',
  'undo change of documents',
  'change profile',
  'set link',
  'set page code',
  'make bundle',
  'change bundle',
  'stop bundle',
  'make code',
  'stop code',
  'offer bundle',
  'agree to bundle',
  'refuse bundle',
  'set picture',
  'remove picture',
  'hide',
  'unhide',
  'answer',
  'change answer',
  'remove answer',
  'set bank account',
  'ask for payout',
  'cancel payout',
  'record payout',
  'refuse payout',
  'record tax payment',
  'change setting',
  'confirm transfer',
  'refuse transfer',
  'refund',
  'issue invoice',
  'publish terms',
  'adjust wallet',
  'propose act',
  'confirm act',
  'refuse act',
  'withdraw act',
  // As earlier versions called them for adjustments.
  'propose adjustment',
  'confirm adjustment',
  'refuse adjustment',
  'withdraw adjustment',
  'book difference',
  'close difference',
  'close day',
  'send mails again',
  'send test mail',
  'take conversation',
  'take over conversation',
  'hand back conversation',
  'close conversation',
  'answer message',
  'add canned answer',
  'change canned answer',
  'retire canned answer',
  'restore canned answer',
  'back up',
  'change',
  'restore',
  'add',
  'retire',
  'offer again',
] as const
export type StaffActionName = (typeof STAFF_ACTIONS)[number]

/** The name of `npm run office` as an actor in the log. */
export const COMMAND_LINE = 'command line'

/** The author of an action: staff by their names, the command line as a language calls it. */
export const actorText = (by: string, texts: { readonly commandLine: string }): string =>
  by === COMMAND_LINE ? texts.commandLine : by

/** The text key of an action: `documentSubmitVersion` for `document: submit version`. */
export function actionKey(action: string): string {
  const [first = '', ...others] = action.split(/[^a-z]+/i)
  return first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** The name of an account as an actor in the log. */
export const userActor = (id: number): string => `user ${id}`
