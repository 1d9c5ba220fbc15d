import {
  $activeWaiting,
  markNewestSeen,
  retryMessage,
  sendMessage,
} from '../../stores/chat/chat.ts'
import { $documents, loadDocument } from '../../stores/chat/documents.ts'
import { readOlder } from '../../stores/chat/history.ts'
import { $drafts, $requestRoom, dropWaiting, keepDraft } from '../../stores/chat/outbox.ts'
import type { ChatDesk } from './desk.tsx'

/** The chat of a customer. */
export const customerDesk: ChatDesk = {
  $drafts,
  $waiting: $activeWaiting,
  $readyRoom: $requestRoom,
  $documents,
  loadDocument,
  keepDraft,
  send: sendMessage,
  retry: retryMessage,
  drop: dropWaiting,
  readOlder,
  markSeen: markNewestSeen,
}
