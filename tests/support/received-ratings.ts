import * as office from '../../src/contract/office-ratings.ts'
import * as ratings from '../../src/contract/ratings.ts'
import type { TestApp } from './app.ts'
import type { Person } from './people.ts'

// Ratings that a teacher has received, and the answers to them.

type Teacher = Awaited<ReturnType<TestApp['anOfficeTeacher']>>

/** A teacher with a document. */
export async function aSeller(app: TestApp) {
  const teacher = await app.anOfficeTeacher()
  const document = await app.aDocument({ teacherId: teacher.teacherId, title: 'الكسور' })
  return { teacher, document, of: { document: { id: document.id } } }
}

/** A rating with a comment, of a document or a teacher. */
export async function aRating(
  app: TestApp,
  subject: { document: { id: number } } | { teacher: { id: number } },
  { as, comment = 'شرح واضح', rating = 4 }: { as?: Person; comment?: string; rating?: number } = {},
) {
  const author = as ?? (await app.aCustomer({ firstName: 'Amal', lastName: 'Ben Salah' }))
  const body = { user: { id: author.id }, rating, comment, ...subject }
  const added = await app.call(ratings.addRating, { as: author, body })
  return { author, id: added.id, ratedAt: added.createdAt }
}

export const list = (app: TestApp, as: Teacher, query: office.ReceivedRatingFilters = {}) =>
  app.call(office.listReceivedRatings, { as, query })

export const answer = (
  app: TestApp,
  as: Person,
  { id, ratedAt }: { id: number; ratedAt: string },
  text: string,
  answeredAt: string | null = null,
) => app.call(office.answerRating, { as, params: { id }, body: { text, ratedAt, answeredAt } })

export const commentedRatingsOf = (app: TestApp, id: number) =>
  app.call(ratings.listCommentedDocumentRatings, { params: { id } })
