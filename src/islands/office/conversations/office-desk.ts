import { atom } from 'nanostores'
import {
  $answerDrafts,
  $answersWaiting,
  dropAnswer,
  keepAnswer,
  retryAnswer,
  sendAnswer,
} from '../../../stores/office/conversations/answers.ts'
import { markSeen, readOlder } from '../../../stores/office/conversations/open.ts'
import type { ChatDesk } from '../../chat/desk.tsx'
import { LaterMention } from './LaterMention.tsx'

/** The chat's functions for an administrator who answers for the shop. */
export const officeDesk: ChatDesk = {
  $drafts: $answerDrafts,
  $waiting: $answersWaiting,
  $readyRoom: atom(null),
  Mention: LaterMention,
  keepDraft: keepAnswer,
  send: sendAnswer,
  retry: retryAnswer,
  drop: dropAnswer,
  readOlder,
  markSeen: () => void markSeen(),
}
