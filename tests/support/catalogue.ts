import { type DocumentFilters, type SORTS, searchDocuments } from '../../src/contract/catalogue.ts'
import { dinars } from '../../src/rules/money.ts'
import { type PaperKind, TRIMESTERS, type Trimester } from '../../src/rules/papers.ts'
import { AUDIENCES, LEVELS } from '../../src/rules/price-bands.ts'
import type { TestApp } from './app.ts'
import { randomFrom } from './random.ts'

/** A document of the model; ids rise as dates fall. */
export interface ModelDocument {
  id: number
  title: string
  final: number
  rating: number
  sales: number
  uploadedAt: number
  matiereId: number
  niveauId: number
  categoryId: number
  teacherId: number
  level: string
  type: string
  paperKind: PaperKind | null
  paperNumber: string | null
  trimester: Trimester | null
  schoolYear: number | null
  correctionPage: number | null
}

/** The facts of a document that is no paper. */
export const NO_PAPER = {
  paperKind: null,
  paperNumber: null,
  trimester: null,
  schoolYear: null,
  withCorrection: null,
  chapterIds: [],
}

export const NEWEST = Date.UTC(2026, 0, 1)
export const HOUR = 3_600_000

/** Sixty documents of every kind, and one that is unpublished. */
export async function fillCatalogue(
  app: TestApp,
): Promise<{ made: ModelDocument[]; hidden: { id: number } }> {
  const random = randomFrom(7)
  const matieres = [await app.aMatiere('الرياضيات'), await app.aMatiere('Physique')]
  const categories = [await app.aCategory('دروس'), await app.aCategory('تمارين')]
  const classes = await Promise.all(
    LEVELS.map(async (level) => ({ level, id: await app.aClass(level) })),
  )
  const teachers = [
    await app.aTeacher({ firstName: 'سلمى', lastName: 'بن عمر', isFeatured: true }),
    await app.aTeacher({ firstName: 'Sami', lastName: 'Trabelsi', bio: 'Professeur' }),
  ]
  const words = ['الكسور', 'المعادلات', 'Équations', 'fractions', 'الجزء ٢', 'révision']
  const made: ModelDocument[] = []
  for (let at = 0; at < 60; at++) {
    const schoolClass = random.pick(classes)
    const price = dinars(random.pick([0, 5, 10, 12.5, 25, 50, 99.99, 100, 150]))
    const priceDiscount = random.pick([null, null, 0, dinars(4), dinars(9.99), dinars(60)])
    const wish = {
      title: `${random.pick(words)} ${random.pick(words)} ${at}`,
      price,
      priceDiscount,
      matiereId: random.pick(matieres),
      categoryId: random.pick(categories),
      niveauId: schoolClass.id,
      teacherId: random.pick(teachers).id,
      audience: random.pick(AUDIENCES),
      isFeatured: at % 7 === 0,
      paperKind: random.pick([null, 'control', 'ordinary', 'synthesis', 'series'] as const),
      paperNumber: random.pick([null, '1', '٢', '3 bis', 'x']),
      trimester: random.pick([null, ...TRIMESTERS]),
      schoolYear: random.pick([null, 2023, 2024]),
      correctionPage: random.pick([null, 3]),
      // Pairs have the same date, so that the second key of every order counts.
      uploadedAt: new Date(NEWEST - Math.floor(at / 2) * HOUR),
    }
    const { paperKind, paperNumber, trimester, schoolYear, correctionPage } = wish
    const paper = { paperKind, paperNumber, trimester, schoolYear, correctionPage }
    const { id } = await app.aDocument(wish)
    const stars = random.between(0, 25)
    const sales = random.between(0, 9)
    await app.kysely
      .updateTable('documents')
      .set({ ...paper, ratingSum: stars, ratingCount: stars === 0 ? 0 : 5, salesCount: sales })
      .where('id', '=', id)
      .execute()
    made.push({
      id,
      title: wish.title,
      final: priceDiscount && priceDiscount < price ? priceDiscount : price,
      rating: stars / 5,
      sales,
      uploadedAt: wish.uploadedAt.getTime(),
      matiereId: wish.matiereId,
      niveauId: wish.niveauId,
      categoryId: wish.categoryId,
      teacherId: wish.teacherId,
      level: schoolClass.level,
      type: wish.audience,
      ...paper,
    })
  }
  const hidden = await app.aDocument({
    title: 'الكسور',
    isPublished: false,
    isFeatured: true,
    teacherId: teachers[0]?.id,
  })
  return { made, hidden }
}

export const search = (app: TestApp, query: DocumentFilters) => app.call(searchDocuments, { query })
export const idsOf = (documents: readonly { id: number }[]) => documents.map(({ id }) => id)

const startsWith = (title: string | undefined) => (a: ModelDocument, b: ModelDocument) =>
  title === undefined ? 0 : Number(b.title.startsWith(title)) - Number(a.title.startsWith(title))

/** The order of each sort, in its simplest form. */
export const ORDERS: Record<
  (typeof SORTS)[number],
  (a: ModelDocument, b: ModelDocument, title?: string) => number
> = {
  relevance: (a, b, title) =>
    title === undefined ? ORDERS.newest(a, b) : startsWith(title)(a, b) || ORDERS.sales(a, b),
  newest: (a, b) => b.uploadedAt - a.uploadedAt || b.id - a.id,
  price: (a, b) => a.final - b.final || a.id - b.id,
  '-price': (a, b) => b.final - a.final || b.id - a.id,
  rating: (a, b) => b.rating - a.rating || b.id - a.id,
  sales: (a, b) => b.sales - a.sales || b.id - a.id,
}

const asControl = (kind: string | null | undefined) => (kind === 'ordinary' ? 'control' : kind)
const NUMBERS: Readonly<Record<string, number>> = { '1': 1, '٢': 2, '3 bis': 3 }

/** Each trimester has one synthesis test, of its number. */
function filed({ paperKind, paperNumber, trimester }: ModelDocument) {
  const number = NUMBERS[paperNumber ?? '']
  if (paperKind !== 'synthesis') return { number, trimester }
  return {
    number: number ?? (trimester ? Number(trimester[1]) : undefined),
    trimester: trimester ?? (number ? `t${number}` : null),
  }
}

export function model(made: ModelDocument[], query: DocumentFilters): ModelDocument[] {
  const same = (wanted: unknown, is: unknown) => wanted === undefined || wanted === is
  return made
    .filter(
      (document) =>
        same(query.matiereId, document.matiereId) &&
        same(query.niveauId, document.niveauId) &&
        same(query.categoryId, document.categoryId) &&
        same(query.teacherId, document.teacherId) &&
        same(query.level, document.level) &&
        same(query.type, document.type) &&
        same(query.trimester, filed(document).trimester) &&
        same(query.schoolYear, document.schoolYear) &&
        (query.withCorrection === undefined || document.correctionPage !== null) &&
        same(asControl(query.paperKind), asControl(document.paperKind)) &&
        same(query.paperNumber, filed(document).number) &&
        document.rating >= (query.rating ?? 0) &&
        document.final >= dinars(query.minPrice ?? 0) &&
        document.final < dinars(query.maxPrice ?? 1_000_000) &&
        (query.title === undefined || document.title.includes(query.title)),
    )
    .sort((a, b) => {
      const { title, sort, paperKind } = query
      if (sort && sort !== 'relevance') return ORDERS[sort](a, b, title)
      // A kind that was asked for comes before the one that is found with it.
      const exactly = (one: ModelDocument) => Number(one.paperKind === paperKind)
      return startsWith(title)(a, b) || exactly(b) - exactly(a) || ORDERS.relevance(a, b, title)
    })
}
