import * as s from 'superstruct'
import { defineCall } from './call.ts'
import { id, moment, pageOf, pageQuery } from './values.ts'

/**
 * A customer's question about a document, as its teacher sees it: with the customer's first name
 * only, and without the rest of the conversation. Contact details in the texts are masked.
 */
export const DocumentQuestion = s.type({
  id: id(),
  document: s.type({ id: id(), title: s.string() }),
  /** The customer's first name. */
  customer: s.string(),
  text: s.string(),
  askedAt: moment(),
  /** The shop's answers, oldest first, up to the customer's next message. */
  answers: s.array(s.type({ text: s.string(), answeredAt: moment() })),
})
export type DocumentQuestion = s.Infer<typeof DocumentQuestion>

/** The questions about the teacher's documents, newest first. */
export const listDocumentQuestions = defineCall('GET /office/questions', 'teacher', {
  query: s.object(pageQuery),
  result: pageOf(DocumentQuestion),
})
