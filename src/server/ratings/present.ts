import type { ReceivedRating } from '../../contract/office-ratings.ts'
import type { Rating } from '../../contract/ratings.ts'
import type { RatingRow } from './read-ratings.ts'

/**
 * A rating in the form of the API. Parents are private people: others see their first name and an
 * initial; only the author gets the e-mail address, and the reason why a rating is hidden.
 */
export function presentRating(row: RatingRow, viewerId: number | undefined): Rating {
  const isOwn = row.userId === viewerId
  const answer = answerOf(row)
  return {
    id: row.id,
    user: { id: row.userId, name: nameOf(row), ...(isOwn && { email: row.email }) },
    document:
      row.documentId === null ? null : { id: row.documentId, title: row.documentTitle ?? '' },
    teacher: row.teacherId === null ? null : { id: row.teacherId, name: row.teacherName ?? '' },
    rating: row.stars,
    comment: row.comment,
    createdAt: row.createdAt.toISOString(),
    verified: row.counts,
    ...(answer && { answer }),
    ...(isOwn && {
      awaitsConfirmation: !row.isPublic && row.hiddenReason === null,
      hiddenReason: row.hiddenReason,
    }),
  }
}

/** A rating as presented to the teacher who received it, for themselves or for a document. */
export function presentReceived(row: RatingRow): ReceivedRating {
  const { id, documentId, documentTitle, stars, comment, counts, createdAt } = row
  return {
    id,
    document: documentId === null ? null : { id: documentId, title: documentTitle ?? '' },
    author: nameOf(row),
    stars,
    comment,
    ratedAt: createdAt.toISOString(),
    verified: counts,
    answer: answerOf(row),
    awaitsAnswer: comment !== '' && (row.answer === null || row.isAnswerOutdated),
  }
}

function answerOf({ answer, answeredAt }: RatingRow) {
  return answer && answeredAt ? { text: answer, answeredAt: answeredAt.toISOString() } : null
}

function nameOf({ firstName, lastName }: RatingRow): string {
  const [initial = ''] = lastName.trim()
  return initial ? `${firstName} ${initial}.` : firstName
}
