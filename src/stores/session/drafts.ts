import { DRAFT_PREFIX } from '../../rules/storage-keys.ts'
import { createDrafts } from '../shared/drafts.ts'
import { $session } from './session.ts'

/** What visitors of the shop type and have not sent yet. */
export const drafts = createDrafts({
  prefix: DRAFT_PREFIX,
  userHere: () => $session.get()?.userId,
})
