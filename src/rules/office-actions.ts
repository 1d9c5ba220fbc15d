import { DOCUMENT_ACTIONS } from './document-life.ts'

/** The actions on documents, by their names in the log. */
const ON_DOCUMENTS = DOCUMENT_ACTIONS.map((action) => `document: ${action}` as const)

/**
 * Every action that the staff log knows; `logStaff` accepts no other. A new action is a line here and
 * its words under `actions` in `locales/<lang>/office-log.json`.
 */
export const STAFF_ACTIONS = [
  'see',
  'log in',
  'accept invitation',
  'change password',
  'reset password',
  'end sessions',
  'set up second factor',
  'turn off second factor',
  'reset second factor',
  'make recovery codes',
  'use recovery code',
  'block',
  'unblock',
  'send password link',
  'invite administrator',
  'invite teacher',
  'withdraw invitation',
  'accept teacher',
  'refuse teacher',
  'merge',
  'take over account',
  ...ON_DOCUMENTS,
  'document: change',
  'change documents',
  'undo change of documents',
  'change profile',
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
  'change setting',
  'confirm transfer',
  'refuse transfer',
  'refund',
  'adjust wallet',
  'propose adjustment',
  'confirm adjustment',
  'refuse adjustment',
  'withdraw adjustment',
  'book difference',
  'close difference',
  'close day',
  'send mails again',
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

/** The actor behind `npm run office`, as the log names it. */
export const COMMAND_LINE = 'command line'

/** The actions as words of a text's key: `document: submit version` is `documentSubmitVersion`. */
export function actionKey(action: string): string {
  return action.replace(/[^a-z]+([a-z])/gi, (_, letter: string) => letter.toUpperCase())
}
