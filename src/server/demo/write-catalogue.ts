import { dinars } from '../../rules/money.ts'
import { searchText } from '../catalogue/search-text.ts'
import type { Tx } from '../database/transaction.ts'
import { type DemoShop, entryOf } from './demo-data.ts'
import type { PrintedFile } from './printed-files.ts'

/** When the sellers joined. */
const JOINED = new Date('2024-12-11T08:00:00Z')

/** Writes the sellers, with the demo account that is one's own. */
export async function writeTeachers(tx: Tx, { teachers, accounts }: DemoShop): Promise<void> {
  const rows = teachers.map((teacher) => ({
    id: teacher.id,
    user_id: teacher.account ? entryOf(accounts, 'email', teacher.account).id : null,
    first_name: teacher.firstName,
    last_name: teacher.lastName,
    email: teacher.email,
    bio: teacher.bio,
    is_featured: teacher.isFeatured,
    created_at: JOINED,
  }))
  await tx.insertInto('teachers').values(rows).execute()
}

/** Writes the stored PDFs; ids are the documents'. */
export async function writeFiles(tx: Tx, files: readonly PrintedFile[]): Promise<void> {
  const rows = files.map((file) => ({
    id: file.documentId,
    storage_key: file.key,
    media_type: 'application/pdf',
    file_type: 'pdf',
    size: file.size,
    sha256: file.sha256,
    page_count: file.pages,
  }))
  await tx.insertInto('files').values(rows).execute()
}

/** Writes the documents with sales of earlier days, and counts those for their teachers. */
export async function writeDocuments(tx: Tx, shop: DemoShop): Promise<void> {
  const colors = [...new Set(shop.documents.flatMap(({ coverColor }) => coverColor ?? []))]
  const mappings = colors.map((color, at) => ({ id: at + 1, color }))
  await tx
    .insertInto('cover_mappings')
    .values(mappings.map((each) => ({ ...each, cover_path: null, livre_path: null })))
    .execute()

  const sales = new Map<number, number>()
  const rows = shop.documents.map((document) => {
    sales.set(document.teacher, (sales.get(document.teacher) ?? 0) + document.sales)
    const teacher = entryOf(shop.teachers, 'id', document.teacher)
    const subject = entryOf(shop.taxonomy.subjects, 'code', document.subject)
    const niveau = entryOf(shop.taxonomy.niveaux, 'code', document.niveau)
    return {
      id: document.id,
      teacher_id: teacher.id,
      title: document.title,
      description: document.description,
      price: dinars(document.price),
      price_discount: document.discount === undefined ? null : dinars(document.discount),
      category_id: entryOf(shop.taxonomy.categories, 'code', document.category).id,
      matiere_id: subject.id,
      niveau_id: niveau.id,
      level: niveau.level,
      audience: document.forTeachers ? 'Pour Enseignant' : 'Pour Élève',
      search_text: searchText({
        title: document.title,
        subject: subject.names.ar,
        teacher: `${teacher.firstName} ${teacher.lastName}`,
      }),
      file_id: document.id,
      cover_path: null,
      livre_path: null,
      cover_mapping_id: mappings.find(({ color }) => color === document.coverColor)?.id ?? null,
      is_featured: document.isFeatured,
      sales_count: document.sales,
      uploaded_at: document.uploadedAt,
    }
  })
  await tx.insertInto('documents').values(rows).execute()
  for (const [id, count] of sales) {
    await tx.updateTable('teachers').set({ sales_count: count }).where('id', '=', id).execute()
  }
}
