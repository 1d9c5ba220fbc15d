import { listDocumentQuestions } from '../../contract/office-questions.ts'
import { pageOf } from '../http/page-of.ts'
import { type Route, route } from '../http/route.ts'
import { questionsAbout } from './questions.ts'

/** Questions on a page of the office. */
const PAGE_SIZE = 10

/** The questions about documents, for the teachers who answer them. */
export const questionRoutes: Route[] = [
  route(listDocumentQuestions, async ({ input: { query }, user, deps }) => {
    const { page = 0, size = PAGE_SIZE } = query
    const at = { page, size }
    const { questions, total } = await questionsAbout(deps.database.kysely, user.teacherId, at)
    return pageOf(questions, { total, ...at })
  }),
]
