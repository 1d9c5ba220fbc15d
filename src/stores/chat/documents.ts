import { ask } from '../shared/backend.ts'
import { createMentioned } from './mentioned.ts'

/** The documents that the user's conversations mention. */
export const { $documents, loadDocument } = createMentioned((id) =>
  ask(({ catalogue }) => catalogue.getDocument, { params: { id } }),
)
