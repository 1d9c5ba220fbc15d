import { sampleProblem } from '../../rules/reading.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { describeChanges, logStaff } from '../staff-log/staff-log.ts'
import { subjectOf } from './history.ts'
import { changeDocument, type Editor } from './locked.ts'
import type { DocumentRow } from './read-documents.ts'

/**
 * Chooses the pages of a document's public sample; null for the first pages. The same choice again
 * changes nothing. Throws `document_under_review`, `sample_not_possible`.
 */
export function setSamplePages(
  deps: Deps,
  of: { id: number; editor: Editor },
  pages: readonly number[] | null,
): Promise<DocumentRow> {
  return changeDocument(deps, of, async ({ tx, document, actor, update }) => {
    const samplePages = pages?.toSorted((a, b) => a - b) ?? null
    if (String(samplePages) === String(document.samplePages)) return
    if (document.state === 'submitted') throw fault('document_under_review')
    const file = await tx
      .selectFrom('files')
      .select('pageCount')
      .where('id', '=', document.fileId)
      .executeTakeFirst()
    if (samplePages && sampleProblem(samplePages, file?.pageCount ?? 0)) {
      throw fault('sample_not_possible')
    }
    if (document.firstPublishedAt) {
      await logStaff(tx, {
        actor,
        action: 'document: change',
        subject: subjectOf(document.id),
        reason: describeChanges([['sample', samplePages]]),
      })
    }
    await update({ samplePages })
  })
}
