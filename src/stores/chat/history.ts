import { $session } from '../session/session.ts'
import { ask } from '../shared/backend.ts'
import { createHistories } from './histories.ts'

export type { Message } from '../../contract/chat.ts'
export type { History } from './histories.ts'

export const { $histories, readHistory, readOlder, showMessage, forgetHistories } = createHistories(
  {
    currentUser: () => $session.get()?.userId,
    readPage: (roomId, query) =>
      ask(({ chat }) => chat.listMessages, { params: { roomId }, query }),
  },
)
