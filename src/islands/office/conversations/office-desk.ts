import { atom } from 'nanostores'
import {
  $answerDrafts,
  $answersWaiting,
  dropAnswer,
  keepAnswer,
  retryAnswer,
  sendAnswer,
} from '../../../stores/office/conversations/answers.ts'
import { $documents, loadDocument } from '../../../stores/office/conversations/documents.ts'
import { markSeen, readOlder } from '../../../stores/office/conversations/open.ts'
import type { ChatDesk } from '../../chat/desk.tsx'

/** The chat as who answers in the shop's name has it. */
export const officeDesk: ChatDesk = {
  $drafts: $answerDrafts,
  $waiting: $answersWaiting,
  $readyRoom: atom(null),
  $documents,
  loadDocument,
  keepDraft: keepAnswer,
  send: sendAnswer,
  retry: retryAnswer,
  drop: dropAnswer,
  readOlder,
  markSeen: () => void markSeen(),
}
