import { getDocument } from '../../../contract/catalogue.ts'
import { createMentioned } from '../../chat/mentioned.ts'
import { ask } from '../backend.ts'

/** The documents that customers' messages mention. */
export const { $documents, loadDocument } = createMentioned((id) =>
  ask(getDocument, { params: { id } }),
)
