import type { Rating } from '../../contract/ratings.ts'
import type { RatingRow } from './ratings.ts'

/**
 * A rating on the wire. Parents are private people: others see the first name and an initial, and
 * only the author the e-mail, and why nobody else sees the rating.
 */
export function presentRating(row: RatingRow, viewerId: number | undefined): Rating {
  const isOwn = row.user_id === viewerId
  return {
    id: row.id,
    user: { id: row.user_id, name: nameOf(row), ...(isOwn && { email: row.email }) },
    document:
      row.document_id === null ? null : { id: row.document_id, title: row.document_title ?? '' },
    teacher: row.teacher_id === null ? null : { id: row.teacher_id, name: row.teacher_name ?? '' },
    rating: row.stars,
    comment: row.comment,
    createdAt: row.created_at.toISOString(),
    verified: row.counts,
    ...(isOwn && {
      awaitsConfirmation: !row.is_public && row.hidden_reason === null,
      hiddenReason: row.hidden_reason,
    }),
  }
}

function nameOf({ first_name, last_name }: RatingRow): string {
  const [initial = ''] = last_name.trim()
  return initial ? `${first_name} ${initial}.` : first_name
}
