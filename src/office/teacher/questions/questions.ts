import * as questions from '../../../contract/office-questions.ts'
import { tableOf } from '../../kit/tables/table.ts'

export const questionsTable = tableOf(questions.listDocumentQuestions)
