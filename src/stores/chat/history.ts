import type { Message } from '../../contract/chat.ts'
import { UNKNOWN_ID } from '../../rules/features.ts'
import { $session } from '../session/session.ts'
import { ask } from '../shared/backend.ts'
import { createHistories } from './histories.ts'

export type { Message } from '../../contract/chat.ts'
export type { History } from './histories.ts'

export const { $histories, readHistory, readOlder, showMessage, forgetHistories } = createHistories(
  {
    currentUser: () => $session.get()?.userId,
    readPage: async (roomId, query) =>
      numbered(await ask(({ chat }) => chat.listMessages, { params: { roomId }, query })),
  },
)

/**
 * A backend without ids of messages answers with all messages of a room, oldest first: their places
 * are their ids, which stay the same because nothing is ever taken out.
 */
function numbered(messages: readonly Message[]): readonly Message[] {
  if (messages.every(({ id }) => id !== UNKNOWN_ID)) return messages
  return messages.map((message, at) => ({ ...message, id: at + 1 }))
}
