import type { ListedDocument } from './check-rows.ts'
import type { KnownDocument } from './known-shop.ts'
import type { ImportProblem } from './problems.ts'

/** Why a list cannot make this of a document that is in the shop already; null: it can. */
export function stateProblem(
  document: ListedDocument,
  known: KnownDocument | undefined,
): ImportProblem | null {
  if (!known) return null
  if (known.teacherEmail.toLowerCase() !== document.teacher.email) {
    return {
      row: document.row,
      column: 'teacher_email',
      code: 'other_teacher',
      detail: known.teacherEmail,
    }
  }
  // Who bought it keeps it: what was for sale once is no draft again.
  if (document.state === 'draft' && known.firstPublishedAt !== null) {
    return { row: document.row, column: 'state', code: 'state_impossible', detail: known.state }
  }
  return null
}
