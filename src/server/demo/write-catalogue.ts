import { dinars } from '../../rules/money.ts'
import { searchText } from '../catalogue/catalogue.ts'
import type { Tx } from '../database/transaction.ts'
import { writeFirstVersions } from '../documents/documents.ts'
import { type DemoShop, entryOf } from './demo-data.ts'
import type { PrintedFile } from './printed-files.ts'

/** When the sellers joined. */
const JOINED = new Date('2024-12-11T08:00:00Z')

/** Writes the sellers, linking the demo account of a teacher. */
export async function writeTeachers(
  tx: Tx,
  { teachers, accounts, lists }: DemoShop,
  portraits: ReadonlyMap<number, string>,
): Promise<void> {
  const featured = teachers.filter(({ isFeatured }) => isFeatured)
  const rows = teachers.map(({ account, subjects: _, isFeatured: __, ...teacher }) => ({
    ...teacher,
    featuredPlace: placeIn(featured, teacher.id),
    userId: account ? entryOf(accounts, 'email', account).id : null,
    picturePath: portraits.get(teacher.id) ?? null,
    createdAt: JOINED,
  }))
  await tx.insertInto('teachers').values(rows).execute()
  const taught = teachers.flatMap(({ id, subjects }) =>
    subjects.map((code) => ({
      teacherId: id,
      matiereId: entryOf(lists.subjects, 'code', code).id,
    })),
  )
  await tx.insertInto('teacherSubjects').values(taught).execute()
}

/** The place of an item among the featured ones; null if it is not featured. */
function placeIn(featured: readonly { id: number }[], id: number): number | null {
  const at = featured.findIndex((each) => each.id === id)
  return at < 0 ? null : at + 1
}

/** The id of the cover of a colour; null if none has it. */
function coverOf({ covers }: DemoShop, wanted: string | undefined): number | null {
  const at = covers.findIndex(({ color }) => color === wanted)
  return at < 0 ? null : at + 1
}

/** Writes the rows of the stored PDFs, with the ids of their documents. */
export async function writeFiles(tx: Tx, files: readonly PrintedFile[]): Promise<void> {
  const rows = files.map((file) => ({
    id: file.documentId,
    storageKey: file.key,
    mediaType: 'application/pdf',
    fileType: 'pdf',
    size: file.size,
    sha256: file.sha256,
    pageCount: file.pages,
  }))
  await tx.insertInto('files').values(rows).execute()
}

/**
 * Writes the documents with their earlier sales, and adds those to the counts of their teachers.
 */
export async function writeDocuments(tx: Tx, shop: DemoShop): Promise<void> {
  await tx
    .insertInto('coverMappings')
    .values(
      shop.covers.map(({ color, names, isRetired }, at) => ({
        id: at + 1,
        name: names.ar,
        names: JSON.stringify(names),
        position: at + 1,
        coverPath: null,
        livrePath: null,
        ...{ color, isRetired },
      })),
    )
    .execute()

  const featured = shop.documents
    .filter(({ isFeatured }) => isFeatured)
    .sort((a, b) => b.uploadedAt.getTime() - a.uploadedAt.getTime())
  const sales = new Map<number, number>()
  const rows = shop.documents.map((document) => {
    sales.set(document.teacher, (sales.get(document.teacher) ?? 0) + document.sales)
    const teacher = entryOf(shop.teachers, 'id', document.teacher)
    const subject = entryOf(shop.lists.subjects, 'code', document.subject)
    const schoolClass = entryOf(shop.lists.classes, 'code', document.schoolClass)
    return {
      id: document.id,
      reference: `demo-${document.id}`,
      teacherId: teacher.id,
      title: document.title,
      description: document.description,
      price: dinars(document.price),
      priceDiscount: document.discount === undefined ? null : dinars(document.discount),
      categoryId: entryOf(shop.lists.categories, 'code', document.category).id,
      matiereId: subject.id,
      niveauId: schoolClass.id,
      level: schoolClass.level,
      audience: document.forTeachers ? ('Pour Enseignant' as const) : ('Pour Élève' as const),
      searchText: searchText({
        title: document.title,
        teacher: `${teacher.firstName} ${teacher.lastName} ${teacher.latinName}`,
      }),
      fileId: document.id,
      // The first page of each is its cover.
      samplePages: [2],
      coverPath: null,
      livrePath: null,
      coverMappingId: coverOf(shop, document.coverColor),
      featuredPlace: placeIn(featured, document.id),
      salesCount: document.sales,
      state: 'published' as const,
      createdAt: document.uploadedAt,
      changedAt: document.uploadedAt,
      firstPublishedAt: document.uploadedAt,
      uploadedAt: document.uploadedAt,
    }
  })
  await tx.insertInto('documents').values(rows).execute()
  await writeFirstVersions(tx)
  for (const [id, count] of sales) {
    await tx.updateTable('teachers').set({ salesCount: count }).where('id', '=', id).execute()
  }
}
