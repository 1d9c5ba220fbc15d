import { type Insertable, type Kysely, sql } from 'kysely'
import { FEATURED_MAX } from '../../src/rules/catalogue-lists.ts'
import { MINUTE_MS } from '../../src/rules/durations.ts'
import { KINDS_OF_CATEGORIES, TRIMESTERS } from '../../src/rules/papers.ts'
import {
  readSchoolLists,
  type SchoolLists,
  writeSchoolLists,
} from '../../src/server/catalogue/catalogue.ts'
import { searchText } from '../../src/server/catalogue/search/search-text.ts'
import type { DocumentsTable } from '../../src/server/database/document-tables.ts'
import type { Schema } from '../../src/server/database/schema.ts'
import { advanceIds } from '../../src/server/database/sql-parts.ts'
import { isEmptyShop } from '../../src/server/demo/demo.ts'
import { writeFirstVersions } from '../../src/server/documents/documents.ts'
import { storageIn } from '../../src/server/files/storage.ts'
import { aPdf } from '../support/pdf.ts'
import { type Random, randomFrom } from '../support/random.ts'

const BATCH = 1000
const DOCUMENTS_A_TEACHER = 200
/** When the newest document was published, in milliseconds since 1970; each other one a minute earlier. */
const NEWEST = Date.UTC(2026, 0, 15, 8)

const FIRST_NAMES = ['أحمد', 'سلمى', 'محمد', 'آمنة', 'يوسف', 'مريم', 'كريم', 'هاجر', 'Sami', 'Inès']
const LAST_NAMES = ['بن عمر', 'الطرابلسي', 'المبروك', 'الجلاصي', 'Trabelsi', 'Gharbi', 'العياري']
const KINDS = [
  ['دروس', 'تمارين محلولة', 'فرض مراقبة', 'ملخّص', 'كتاب شامل'],
  ['Cours', 'Exercices corrigés', 'Devoir de contrôle', 'Résumé', 'Livre parascolaire'],
] as const
const THEMES = [
  [
    'الكسور',
    'المعادلات',
    'الجملة الفعلية',
    'الضوء',
    'الخلية',
    'قرطاج',
    'المناخ',
    'الأعداد',
    'الشعر',
  ],
  ['les fractions', 'les suites', 'la cellule', 'le verbe', 'l’électricité', 'les fonctions'],
] as const

/**
 * Fills a shop without documents with `count` documents that share one PDF, one teacher for every 200; the same
 * seed gives the same catalogue. Throws if the shop has documents.
 */
export async function makeCatalogue(
  db: Kysely<Schema>,
  dataDir: string,
  { count, seed = 1 }: { count: number; seed?: number },
): Promise<void> {
  const random = randomFrom(seed)
  const lists = await readSchoolLists()
  // A shop that was opened before has the school lists.
  if (await isEmptyShop(db)) await writeSchoolLists(db, lists)
  else if (await db.selectFrom('documents').select('id').limit(1).executeTakeFirst()) {
    throw new Error('the shop is not empty')
  }
  const fileId = await writeSharedFile(db, dataDir)
  const teachers = await writeTeachers(db, Math.ceil(count / DOCUMENTS_A_TEACHER), random)
  const chapters = await writeChapters(db, lists)
  // Another one, so that facts change nothing else of a document.
  const ofFacts = randomFrom(seed + 1)
  for (let from = 0; from < count; from += BATCH) {
    const size = Math.min(BATCH, count - from)
    const rows = Array.from({ length: size }, (_, at) => {
      const document = makeDocument({ number: from + at + 1, fileId, teachers, lists, random })
      return { ...document, ...factsOf(document, { lists, chapters, random: ofFacts }) }
    })
    await db.insertInto('documents').values(rows).execute()
  }
  await writeFirstVersions(db)
  await advanceIds(db, ['teachers', 'files', 'documents'])
  await sql`VACUUM ANALYZE`.execute(db)
}

interface MadeTeacher {
  id: number
  name: string
}

function makeDocument(from: {
  number: number
  fileId: number
  teachers: readonly MadeTeacher[]
  lists: SchoolLists
  random: Random
}): Insertable<DocumentsTable> {
  const { number, random } = from
  const language = random.between(0, 3) === 0 ? 1 : 0
  const category = random.pick(from.lists.categories)
  const subject = random.pick(from.lists.subjects)
  const schoolClass = random.pick(from.lists.classes)
  const teacher = random.pick(from.teachers)
  const title = `${KINDS[language][category.id - 1]} ${random.pick(THEMES[language])} ${number}`
  const price = random.between(0, 240) * 250
  const rated = random.between(0, 40)
  return {
    id: number,
    teacherId: teacher.id,
    title,
    description: `${title}. وثيقة من ${random.between(4, 40)} صفحة مع الإصلاح.`,
    price,
    priceDiscount: random.between(0, 4) === 0 ? Math.floor(price / 20) * 10 : null,
    categoryId: category.id,
    matiereId: subject.id,
    niveauId: schoolClass.id,
    level: schoolClass.level,
    audience: random.between(0, 5) === 0 ? 'Pour Enseignant' : 'Pour Élève',
    searchText: searchText({
      title,
      teacher: teacher.name,
    }),
    fileId: from.fileId,
    coverPath: null,
    livrePath: null,
    coverMappingId: null,
    featuredPlace: number % 50 === 0 && number / 50 <= FEATURED_MAX ? number / 50 : null,
    salesCount: random.between(0, 400),
    ratingCount: rated,
    ratingSum: rated * 3 + random.between(0, rated * 2),
    state: 'published',
    firstPublishedAt: new Date(NEWEST - number * MINUTE_MS),
    uploadedAt: new Date(NEWEST - number * MINUTE_MS),
  }
}

/** The chapters of each class and subject, by both ids. */
type Chapters = ReadonlyMap<string, readonly number[]>

const CHAPTERS_OF_EACH = 3

async function writeChapters(db: Kysely<Schema>, lists: SchoolLists): Promise<Chapters> {
  await db.deleteFrom('chapters').execute()
  const pairs = lists.classes.flatMap(({ id: niveauId }) =>
    lists.subjects.map(({ id: matiereId }) => ({ niveauId, matiereId })),
  )
  const rows = pairs.flatMap((pair) =>
    Array.from({ length: CHAPTERS_OF_EACH }, (_, position) => {
      const name = `محور ${position + 1}`
      return { ...pair, nameAr: name, nameFr: '', aliases: [], position, isHidden: false }
    }),
  )
  const chapters = new Map<string, number[]>()
  for (let from = 0; from < rows.length; from += BATCH) {
    const written = await db
      .insertInto('chapters')
      .values(rows.slice(from, from + BATCH))
      .returning(['id', 'niveauId', 'matiereId'])
      .execute()
    for (const { id, niveauId, matiereId } of written) {
      const key = `${niveauId} ${matiereId}`
      chapters.set(key, [...(chapters.get(key) ?? []), id])
    }
  }
  return chapters
}

/** What four of five documents state: chapters, a term, and of papers what they are. */
function factsOf(
  { categoryId, niveauId, matiereId }: Insertable<DocumentsTable>,
  { lists, chapters, random }: { lists: SchoolLists; chapters: Chapters; random: Random },
): Partial<Insertable<DocumentsTable>> {
  if (random.between(0, 4) === 0) return {}
  const code = lists.categories.find(({ id }) => id === categoryId)?.code
  const kinds = Object.entries(KINDS_OF_CATEGORIES).find(([category]) => category === code)?.[1]
  const chapterIds = [random.pick(chapters.get(`${niveauId} ${matiereId}`) ?? [])]
  if (!kinds) return { chapterIds }
  return {
    chapterIds,
    paperKind: random.pick(kinds),
    paperNumber: String(random.between(1, 6)),
    trimester: random.pick(TRIMESTERS),
    schoolYear: random.between(2010, 2025),
    ...(random.between(0, 2) === 0 && { correctionPage: 2 }),
  }
}

async function writeTeachers(
  db: Kysely<Schema>,
  count: number,
  random: Random,
): Promise<MadeTeacher[]> {
  const rows = Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    firstName: random.pick(FIRST_NAMES),
    lastName: `${random.pick(LAST_NAMES)} ${at + 1}`,
    email: `teacher${at + 1}@catalogue.karras.test`,
    featuredPlace: at < 10 ? at + 1 : null,
  }))
  await db.insertInto('teachers').values(rows).execute()
  return rows.map((row) => ({ id: row.id, name: `${row.firstName} ${row.lastName}` }))
}

async function writeSharedFile(db: Kysely<Schema>, dataDir: string): Promise<number> {
  const stored = await storageIn(dataDir).put(aPdf('وثيقة للقيس', 2), 'pdf')
  const { id } = await db
    .insertInto('files')
    .values({
      storageKey: stored.key,
      mediaType: 'application/pdf',
      fileType: 'pdf',
      size: stored.size,
      sha256: stored.sha256,
      pageCount: 2,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
