import { ask } from '../shared/backend.ts'
import { createMentioned } from './mentioned.ts'

/** The documents mentioned in the user's conversations. */
export const { $documents, loadDocument } = createMentioned((id) =>
  ask(({ catalogue }) => catalogue.getDocument, { params: { id } }),
)
