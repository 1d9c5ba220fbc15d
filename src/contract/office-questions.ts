import { array, type Infer, object, string, type } from 'superstruct'
import { defineCall } from './call.ts'
import { id, moment, pageOf, pageQuery } from './values.ts'

/**
 * A customer's question about a document, as its teacher sees it: with the customer's first name
 * only, and without the rest of the conversation. Contact details in the texts are masked.
 */
export const DocumentQuestion = type({
  id: id(),
  document: type({ id: id(), title: string() }),
  /** The customer's first name. */
  customer: string(),
  text: string(),
  askedAt: moment(),
  /** The shop's answers, oldest first, up to the customer's next message. */
  answers: array(type({ text: string(), answeredAt: moment() })),
})
export type DocumentQuestion = Infer<typeof DocumentQuestion>

/** The questions about the teacher's documents, newest first. */
export const listDocumentQuestions = defineCall('GET /office/questions', 'teacher', {
  query: object(pageQuery),
  result: pageOf(DocumentQuestion),
})
