import { dinars } from '../../rules/money.ts'
import { searchText } from '../catalogue/catalogue.ts'
import type { Tx } from '../database/transaction.ts'
import { DEMO_DOCUMENTS } from './documents/index.ts'
import { DEMO_ACCOUNTS, DEMO_TEACHERS } from './people.ts'
import type { PrintedFile } from './print-documents.ts'
import type { Random } from './random.ts'
import { CATEGORIES, entryOf, MATIERES, NIVEAUX } from './taxonomy.ts'

/** The day on which the demo shop stands still. */
export const DEMO_DATE = Date.UTC(2026, 0, 15, 8)

const DAY = 86_400_000

/** Colours that win over the subject's (look: covers); every ninth document has one. */
const COVER_COLORS = ['#7a3b12', '#1f5f6b', '#5b2a6e', '#94323a']
const COVERED = 9

/** Writes the sellers, with the demo account that is one's own. */
export async function writeTeachers(tx: Tx): Promise<void> {
  const rows = DEMO_TEACHERS.map((teacher, at) => ({
    id: at + 1,
    userId: DEMO_ACCOUNTS.findIndex(({ email }) => email === teacher.account) + 1 || null,
    firstName: teacher.firstName,
    lastName: teacher.lastName,
    email: teacher.email,
    bio: teacher.bio,
    isFeatured: teacher.isFeatured,
    createdAt: new Date(DEMO_DATE - 400 * DAY),
  }))
  await tx.insertInto('teachers').values(rows).execute()
}

/** Writes what was printed; ids are the documents'. */
export async function writeFiles(tx: Tx, files: readonly PrintedFile[]): Promise<void> {
  const rows = files.map((file, at) => ({
    id: at + 1,
    storageKey: file.key,
    mediaType: 'application/pdf',
    fileType: 'pdf',
    size: file.size,
    sha256: file.sha256,
    pageCount: file.pages,
  }))
  await tx.insertInto('files').values(rows).execute()
}

/** Writes the documents with sales of earlier days, and counts those for their teachers. */
export async function writeDocuments(tx: Tx, random: Random): Promise<void> {
  const colors = COVER_COLORS.map((color, at) => ({ id: at + 1, color }))
  await tx
    .insertInto('coverMappings')
    .values(colors.map((each) => ({ ...each, coverPath: null, livrePath: null })))
    .execute()

  const sales = new Map<number, number>()
  const rows = DEMO_DOCUMENTS.map((document, at) => {
    const sold = random.between(0, 14) ** 2 + (document.isFeatured ? 60 : 0)
    sales.set(document.teacher, (sales.get(document.teacher) ?? 0) + sold)
    const teacher = DEMO_TEACHERS[document.teacher - 1]
    const matiere = entryOf(MATIERES, document.subject)
    const niveau = entryOf(NIVEAUX, document.niveau)
    return {
      id: at + 1,
      teacherId: document.teacher,
      title: document.title,
      description: document.description,
      price: dinars(document.price),
      priceDiscount: document.discount === undefined ? null : dinars(document.discount),
      categoryId: entryOf(CATEGORIES, document.category).id,
      matiereId: matiere.id,
      niveauId: niveau.id,
      level: niveau.level,
      audience: document.forTeachers ? 'Pour Enseignant' : 'Pour Élève',
      searchText: searchText({
        title: document.title,
        subject: matiere.name,
        teacher: `${teacher?.firstName} ${teacher?.lastName}`,
      }),
      fileId: at + 1,
      coverPath: null,
      livrePath: null,
      coverMappingId: at % COVERED === 0 ? ((at / COVERED) % COVER_COLORS.length) + 1 : null,
      isFeatured: document.isFeatured ?? false,
      salesCount: sold,
      uploadedAt: new Date(DEMO_DATE - (DEMO_DOCUMENTS.length - at) * 3 * DAY),
    }
  })
  await tx.insertInto('documents').values(rows).execute()
  for (const [id, count] of sales) {
    await tx.updateTable('teachers').set({ salesCount: count }).where('id', '=', id).execute()
  }
}
