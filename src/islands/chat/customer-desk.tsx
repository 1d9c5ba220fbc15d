import {
  $activeWaiting,
  markNewestSeen,
  retryMessage,
  sendMessage,
} from '../../stores/chat/chat.ts'
import * as documents from '../../stores/chat/documents.ts'
import { readOlder } from '../../stores/chat/history.ts'
import { $drafts, $requestRoom, dropWaiting, keepDraft } from '../../stores/chat/outbox.ts'
import { Mention } from './DocumentCard.tsx'
import type { ChatDesk, MentionProps } from './desk.tsx'

function CustomerMention(given: MentionProps) {
  return <Mention documents={documents} {...given} />
}

export const customerDesk: ChatDesk = {
  $drafts,
  $waiting: $activeWaiting,
  $readyRoom: $requestRoom,
  Mention: CustomerMention,
  keepDraft,
  send: sendMessage,
  retry: retryMessage,
  drop: dropWaiting,
  readOlder,
  markSeen: markNewestSeen,
}
