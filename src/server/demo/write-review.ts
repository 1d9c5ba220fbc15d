import { DAY_MS } from '../../rules/durations.ts'
import { dinars } from '../../rules/money.ts'
import { searchText } from '../catalogue/catalogue.ts'
import type { Tx } from '../database/transaction.ts'
import { COMMAND_LINE, userActor } from '../staff-log/staff-log.ts'
import type { DemoReview } from './review-data.ts'

/** Writes work that waits for administrators; the documents that it refers to must exist. */
export async function writeReview(tx: Tx, review: DemoReview): Promise<void> {
  for (const { daysAgo, ...request } of review.requests) {
    const askedAt = new Date(Date.now() - daysAgo * DAY_MS)
    await tx
      .insertInto('joinRequests')
      .values({ ...request, tokenHash: null, askedAt, confirmedAt: askedAt })
      .execute()
  }
  for (const { document, file, note, at } of review.versions) {
    const createdBy = await teacherOf(tx, document)
    await tx
      .insertInto('documentVersions')
      .values({
        documentId: document,
        number: 2,
        fileId: file,
        note,
        state: 'submitted',
        createdAt: at,
        createdBy,
      })
      .execute()
    await tx
      .insertInto('documentEvents')
      .values({
        documentId: document,
        actor: createdBy,
        action: 'submit version',
        version: 2,
        reason: note,
        madeAt: at,
      })
      .execute()
  }
  for (const { like, title, description, price, at } of review.submitted) {
    const model = await tx
      .selectFrom('documents')
      .innerJoin('teachers', 'teachers.id', 'documents.teacherId')
      .select(['documents.teacherId', 'matiereId', 'niveauId', 'categoryId', 'documents.level'])
      .select(['audience', 'fileId', 'firstName', 'lastName'])
      .where('documents.id', '=', like)
      .executeTakeFirstOrThrow()
    const { firstName, lastName, ...rest } = model
    const words = { title, teacher: `${firstName} ${lastName}` }
    const { id } = await tx
      .insertInto('documents')
      .values({
        ...rest,
        title,
        description,
        price: dinars(price),
        priceDiscount: null,
        coverPath: null,
        livrePath: null,
        coverUploadId: null,
        coverMappingId: null,
        searchText: searchText(words),
        reference: `demo review of ${like}`,
        state: 'submitted',
        createdAt: at,
        changedAt: at,
        uploadedAt: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const actor = await teacherOf(tx, id)
    await tx
      .insertInto('documentVersions')
      .values({
        documentId: id,
        number: 1,
        fileId: rest.fileId,
        state: 'submitted',
        createdAt: at,
        createdBy: actor,
      })
      .execute()
    await tx
      .insertInto('documentEvents')
      .values([
        { documentId: id, actor, action: 'create', madeAt: at },
        { documentId: id, actor, action: 'submit', madeAt: at },
      ])
      .execute()
  }
}

/**
 * The actor who submitted a document: its teacher, or the operator if the teacher has no account.
 */
async function teacherOf(tx: Tx, documentId: number): Promise<string> {
  const { userId } = await tx
    .selectFrom('documents')
    .innerJoin('teachers', 'teachers.id', 'documents.teacherId')
    .select('teachers.userId')
    .where('documents.id', '=', documentId)
    .executeTakeFirstOrThrow()
  return userId === null ? COMMAND_LINE : userActor(userId)
}
