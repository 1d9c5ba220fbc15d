import * as questions from '../../contract/office-questions.ts'
import { ask } from './backend.ts'
import { createTable } from './table.ts'

export const questionsTable = createTable({
  what: 'questions',
  sorts: ['-askedAt'],
  load: ({ page }, signal) => ask(questions.listDocumentQuestions, { query: { page } }, { signal }),
})
