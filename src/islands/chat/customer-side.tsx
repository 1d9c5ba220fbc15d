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
import type { ChatSide, MentionProps } from './side.tsx'

function CustomerMention(given: MentionProps) {
  return <Mention documents={documents} {...given} />
}

export const customerSide: ChatSide = {
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
