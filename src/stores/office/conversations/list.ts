import type { Result } from '../../../contract/call.ts'
import {
  CONVERSATION_FILTERS,
  type Conversation,
  listConversations,
} from '../../../contract/office-conversations.ts'
import { ask } from '../backend.ts'
import { choiceOf } from '../choice.ts'
import { createTable } from '../table.ts'

/** The page size; the live connection can follow this many conversations and the open one. */
const PAGE_SIZE = 15

/** The conversations that the administrator may answer, unanswered ones first. */
export const conversationTable = createTable<
  Conversation,
  'usual',
  Result<typeof listConversations>
>({
  what: 'conversations',
  sorts: ['usual'],
  filters: ['show', 'customer'],
  load: ({ page, q, show, customer }, signal) => {
    const id = Number(customer)
    const query = {
      page,
      size: PAGE_SIZE,
      ...(q && { q }),
      ...choiceOf('show', show, CONVERSATION_FILTERS),
      ...(Number.isSafeInteger(id) && id > 0 && { customer: id }),
    }
    return ask(listConversations, { query }, { signal })
  },
})
