import type {
  DocumentEvent,
  DocumentVersion,
  OwnDocument,
  Returned,
} from '../../contract/own-document.ts'
import { detailsOf, documentProblems } from '../../rules/document-fields.ts'
import type { InEachLanguage } from '../../rules/languages.ts'
import { presentChapter, presentNamed } from '../catalogue/catalogue.ts'
import { userActor } from '../staff-log/staff-log.ts'
import type { EventRow, VersionRow } from './history.ts'
import type { DocumentRow } from './read-documents.ts'

export function presentOwn(row: DocumentRow): OwnDocument {
  const named = (
    id: number | null,
    name: string | null,
    code: string | null,
    names: InEachLanguage | null,
  ) => (id === null ? null : presentNamed({ id, name: name ?? '', code, names }))
  const schoolClass = named(row.niveauId, row.niveauName, row.niveauCode, row.niveauNames)
  return {
    id: row.id,
    state: row.state,
    revision: row.revision,
    title: row.title,
    description: row.description,
    price: row.price,
    priceDiscount: row.priceDiscount,
    categorie: named(row.categoryId, row.categoryName, row.categoryCode, row.categoryNames),
    matiere: named(row.matiereId, row.matiereName, row.matiereCode, row.matiereNames),
    classe: schoolClass && { ...schoolClass, level: row.level },
    type: row.audience,
    ...detailsOf(row),
    chapters: row.chapters.map(presentChapter),
    teacher: { id: row.teacherId, name: row.teacherName },
    coverPath: row.coverPath,
    livrePath: row.livrePath,
    coverMapping:
      row.coverMappingId === null
        ? null
        : {
            coverPath: row.mappingCoverPath,
            livrePath: row.mappingLivrePath,
            color: row.mappingColor,
          },
    fileType: row.fileType,
    pageCount: row.pageCount,
    samplePages: row.samplePages,
    rating: Number(row.rating),
    ratingCount: row.ratingCount,
    salesCount: row.salesCount,
    createdAt: row.createdAt.toISOString(),
    changedAt: row.changedAt.toISOString(),
    firstPublishedAt: row.firstPublishedAt?.toISOString() ?? null,
    missing: documentProblems(row),
    returned: returnedOf(row),
    // The file of a draft under review waits as a part of the draft.
    waitingVersion: row.firstPublishedAt ? row.waitingVersion : null,
    isTakenDown: row.isTakenDown,
    isReported: row.isReported,
  }
}

function returnedOf({ lastAction, lastReason, lastField, lastAt }: DocumentRow): Returned | null {
  if (lastAction !== 'return' && lastAction !== 'return version') return null
  return { reason: lastReason ?? '', field: lastField, at: lastAt?.toISOString() ?? '' }
}

export function presentVersion(row: VersionRow): DocumentVersion {
  return {
    number: row.number,
    state: row.state,
    note: row.note,
    pageCount: row.pageCount,
    size: row.size,
    createdAt: row.createdAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    reason: row.reason,
  }
}

/** A change as the teacher sees it, who does not learn which administrator made it. */
export function presentEvent(
  row: EventRow,
  { teacherUserId }: Pick<DocumentRow, 'teacherUserId'>,
): DocumentEvent {
  const isOwn = teacherUserId !== null && row.actor === userActor(teacherUserId)
  return {
    at: row.madeAt.toISOString(),
    action: row.action,
    by: isOwn ? 'teacher' : 'shop',
    reason: row.reason,
    field: row.field,
    version: row.version,
    amounts: row.amounts && {
      ...row.amounts,
      from: row.amounts.from ?? null,
      until: row.amounts.until ?? null,
    },
  }
}
