import { ask } from '../shared/backend.ts'
import { createMentioned } from './mentioned.ts'

export const { $documents, loadDocument } = createMentioned((id) =>
  ask(({ catalogue }) => catalogue.getDocument, { params: { id } }),
)
