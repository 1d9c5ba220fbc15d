import type { Kysely } from 'kysely'
import type { Schema } from '../database/schema.ts'

/** A customer's purchases, with the names that the table of their documents shows. */
function selectPurchases(db: Kysely<Schema>, userId: number) {
  return db
    .selectFrom('purchases as p')
    .innerJoin('documents as d', 'd.id', 'p.documentId')
    .innerJoin('categories as c', 'c.id', 'd.categoryId')
    .innerJoin('matieres as m', 'm.id', 'd.matiereId')
    .innerJoin('niveaux as n', 'n.id', 'd.niveauId')
    .innerJoin('teachers as t', 't.id', 'd.teacherId')
    .innerJoin('files as f', 'f.id', 'd.fileId')
    .leftJoin('coverMappings as k', 'k.id', 'd.coverMappingId')
    .leftJoin('ratings as own', (join) =>
      join
        .onRef('own.documentId', '=', 'd.id')
        .on('own.userId', '=', userId)
        .on('own.withdrawnAt', 'is', null),
    )
    .where('p.userId', '=', userId)
    .select(['p.documentId', 'p.price', 'p.purchasedAt', 'd.title', 'd.rating', 'd.salesCount'])
    .select(['c.id as categoryId', 'c.name as categoryName', 'c.code as categoryCode'])
    .select(['m.id as matiereId', 'm.name as matiereName', 'm.code as matiereCode'])
    .select(['n.id as niveauId', 'n.name as niveauName', 'n.code as niveauCode'])
    .select(['c.names as categoryNames', 'm.names as matiereNames', 'n.names as niveauNames'])
    .select([
      'd.teacherId',
      't.firstName',
      't.lastName',
      't.latinName',
      'f.fileType',
      'f.pageCount',
      'f.size',
    ])
    .select(['d.coverPath', 'd.coverMappingId', 'k.color as mappingColor'])
    .select(['k.coverPath as mappingCoverPath', 'k.livrePath as mappingLivrePath'])
    .select('own.stars as ownRating')
}

export type PurchasedRow = Awaited<ReturnType<typeof purchasesOf>>[number]

/** All purchases of a customer, newest first; unpublished documents still belong to them. */
export function purchasesOf(db: Kysely<Schema>, userId: number) {
  return selectPurchases(db, userId)
    .orderBy('p.purchasedAt', 'desc')
    .orderBy('p.id', 'desc')
    .execute()
}

/** A purchase of a customer; undefined if they did not buy the document. */
export function findPurchase(
  db: Kysely<Schema>,
  { userId, documentId }: { userId: number; documentId: number },
): Promise<PurchasedRow | undefined> {
  return selectPurchases(db, userId).where('p.documentId', '=', documentId).executeTakeFirst()
}
