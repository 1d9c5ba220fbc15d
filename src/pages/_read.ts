import type { AstroGlobal } from 'astro'
import { is } from 'superstruct'
import type { Api } from '../client/api.ts'
import type { Choices } from '../components/shop/labels.ts'
import { listBundles } from '../contract/bundles.ts'
import type { AnyCall, Input, Result } from '../contract/call.ts'
import * as catalogue from '../contract/catalogue.ts'
import { getCorrections } from '../contract/corrections.ts'
import { getSandboxPayment, getTransfer } from '../contract/orders.ts'
import type { Paper } from '../contract/programme.ts'
import {
  getChapterProgramme,
  getClassProgramme,
  getSubjectProgramme,
  listProgramme,
} from '../contract/programme.ts'
import {
  getDocumentStars,
  listCommentedDocumentRatings,
  listCommentedTeacherRatings,
} from '../contract/ratings.ts'
import { getSample, type Sample } from '../contract/reading.ts'
import * as references from '../contract/references.ts'
import type { ShopFilters } from '../contract/shop-filters.ts'
import { getSitePage, getTerms, type SitePage } from '../contract/site.ts'
import { paymentReference } from '../contract/values.ts'
import { SECOND_MS } from '../rules/durations.ts'
import { UNKNOWN_ID } from '../rules/features.ts'
import { sitePageTag } from '../rules/page-tags.ts'
import { PAGE_SIZE } from '../rules/pager.ts'
import { nextOf } from '../rules/programme.ts'
import type { SitePageName } from '../rules/site-pages.ts'
import { daysAfter, startOfDay, tunisianDay } from '../rules/tunisia-time.ts'

// What each page reads.

/** The number of other documents by the teacher on the details page. */
const RELATED_DOCUMENTS = 3

/** How many teachers the home page shows: featured ones, then those of `FIRST_TEACHERS` that exist. */
const TEACHERS_SHOWN = 3
const FIRST_TEACHERS = [1, 2, 3]

/** How many of the newest documents the home page of a new shop shows. */
const NEWEST_SHOWN = 12

export function pageId(text: string | undefined): number | null {
  return text && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null
}

/**
 * Whether a call failed because the requested thing does not exist. Checks the status and not the
 * class, since pages are compiled separately from the server and have their own `ApiError`.
 */
function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 404
}

async function found<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

/**
 * Waits for a part of a page; null if it cannot be read. The failure is only logged, so that the
 * rest of the page still renders; a part that another backend does not have is no failure.
 */
async function settled<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (!isNotFound(error)) console.error('a part of a page could not be read:', error)
    return null
  }
}

/**
 * The sections of the home page, each read on its own, so that a failure hides only its section.
 */
export async function readHome(api: Api, hasProgramme: boolean) {
  const [featured, bestsellers, teachersBooks, classes] = await Promise.all([
    settled(api(catalogue.listFeatured, {})),
    settled(api(catalogue.listTopSelling, {})),
    settled(api(catalogue.listByFeaturedAuthors, {})),
    hasProgramme ? settled(readClasses(api)) : NO_CLASSES,
  ])
  // The first document of each featured teacher comes before the second of any.
  const featuredTeachers = (teachersBooks ?? []).map(({ teacher }) => teacher.id)
  const wanted = [...new Set(featuredTeachers)].slice(0, TEACHERS_SHOWN).concat(FIRST_TEACHERS)
  const readTeachers = async () => {
    const reading = [...new Set(wanted)].map((id) =>
      found(api(catalogue.getTeacher, { params: { id } })),
    )
    const teachers = (await Promise.all(reading)).filter((teacher) => teacher !== null)
    return teachers.slice(0, TEACHERS_SHOWN)
  }
  // What nobody bought is no bestseller.
  const sold = bestsellers?.filter(({ salesCount }) => salesCount > 0) ?? null
  // Until something is featured or sold, there is what was published last.
  const isNew = featured?.length === 0 && sold?.length === 0
  const readNewest = async () =>
    isNew ? (await api(catalogue.searchDocuments, { query: { size: NEWEST_SHOWN } })).content : []
  const [teachers, newest] = await Promise.all([settled(readTeachers()), settled(readNewest())])
  const parts = { featured, sold, newest, teachersBooks, teachers, classes }
  return { ...parts, complete: Object.values(parts).every((part) => part !== null) }
}

/**
 * The shop's page of documents and what its filter form offers; `complete` is false if a part
 * failed. The filters are without a chapter of another class or subject.
 */
export async function readShop(api: Api, given: ShopFilters, hasProgramme: boolean) {
  const { niveauId, matiereId } = given
  const isOfList = hasProgramme && niveauId !== undefined && matiereId !== undefined
  const chapters = isOfList
    ? await settled(api(references.listChapters, { query: { niveauId, matiereId } }))
    : []
  const { chapterId, ...rest } = given
  const filters: ShopFilters = chapters?.some(({ id }) => id === chapterId) ? given : rest
  const [page, categories, matieres, classes, kinds] = await Promise.all([
    settled(readResults(api, filters)),
    settled(api(references.listCategories, {})),
    settled(api(references.listMatieres, {})),
    settled(api(references.listClasses, {})),
    hasProgramme ? settled(api(references.listKinds, {})) : [],
  ])
  return {
    page,
    filters,
    choices: {
      categories: categories ?? [],
      matieres: matieres ?? [],
      classes: classes ?? [],
      chapters: chapters ?? [],
      kinds: kinds ?? [],
    } satisfies Choices,
    complete: [page, categories, matieres, classes, chapters, kinds].every((part) => part !== null),
  }
}

/** A page of results; the last page if an old link names one past the end. */
async function readResults(api: Api, filters: ShopFilters): Promise<catalogue.DocumentPage> {
  const read = (page: number) =>
    api(catalogue.searchDocuments, { query: { ...filters, page, size: PAGE_SIZE } })
  const requested = filters.page ?? 0
  const page = await read(requested)
  const last = page.totalPages - 1
  return page.content.length === 0 && last >= 0 && last < requested ? read(last) : page
}

/**
 * A document, up to 3 others by its teacher, its ratings, how many of them have how many stars, and
 * its sample: the facts of its file and its public pages; of a paper, the next numbers and its corrections; of a correction, its paper; the bundles that
 * have it. A part that could not be read is null; all
 * is null without the document.
 */
export async function readDocument(api: Api, id: number) {
  const document = await found(api(catalogue.getDocument, { params: { id } }))
  if (!document) return null
  // Read one more, since this one may be among the newest. Not all, since a teacher may have two
  // hundred.
  const query = { teacherId: document.teacher.id, size: RELATED_DOCUMENTS + 1 }
  const isLinked = document.hasCorrection || document.correctionOf
  const [byTeacher, ratings, stars, sample, next, corrections, bundles] = await Promise.all([
    query.teacherId === UNKNOWN_ID
      ? NO_DOCUMENTS
      : settled(api(catalogue.searchDocuments, { query })),
    settled(api(listCommentedDocumentRatings, { params: { id } })),
    document.ratingCount > 0 ? settled(api(getDocumentStars, { params: { id } })) : NO_STARS,
    settled(api(getSample, { params: { id } })),
    settled(readNext(api, document)),
    isLinked ? settled(api(getCorrections, { params: { id } })) : NO_CORRECTIONS,
    settled(api(listBundles, { params: { id } })),
  ])
  const newest = byTeacher?.content.filter((other) => other.id !== id) ?? null
  const others = newest?.slice(0, RELATED_DOCUMENTS) ?? null
  return { document, others, ratings, stars, sample, next, corrections, bundles }
}

/** The next numbers of a paper, of its class, subject and kind. */
async function readNext(api: Api, document: catalogue.Document): Promise<Paper[]> {
  const {
    classe,
    matiere,
    categorie,
    paperKind = null,
    paperNumber = null,
    trimester = null,
  } = document
  if (!paperKind || !classe.code || !matiere.code) return []
  const programme = await readSubjectProgramme(api, classe.code, matiere.code)
  const facts = { paperKind, paperNumber, trimester, categoryId: categorie.id }
  return nextOf(facts, programme?.papers ?? [])
}

const NO_CORRECTIONS: Result<typeof getCorrections> = { paper: null, corrections: [] }
const NO_STARS: number[] = []
const NO_DOCUMENTS = { content: [] as catalogue.Document[] }

export async function readLook(
  api: Api,
  id: number,
): Promise<{ document: catalogue.Document; sample: Sample & { key: string } } | null> {
  const params = { id }
  const both = [api(catalogue.getDocument, { params }), api(getSample, { params })] as const
  const [document, sample] = (await found(Promise.all(both))) ?? []
  const key = sample?.key ?? null
  return document && sample && key !== null ? { document, sample: { ...sample, key } } : null
}

/** How pages with dates ahead are cached: until the day ends in Tunisia, since they count days. */
export const untilTomorrow = (ahead: readonly unknown[]): { maxAge?: number } => {
  const now = new Date()
  const tomorrow = startOfDay(daysAfter(tunisianDay(now), 1))
  return ahead.length > 0
    ? { maxAge: Math.ceil((tomorrow.getTime() - now.getTime()) / SECOND_MS) }
    : {}
}

const NO_CLASSES = { programme: [], tested: [], lasting: {} }

/** The classes of the programme, the codes of those that are tested this week, and how long that is so. */
export async function readClasses(api: Api) {
  const programme = await api(listProgramme, {})
  const tested = programme.flatMap(({ classe, tests }) =>
    tests === 'this week' && classe.code ? classe.code : [],
  )
  return { programme, tested, lasting: untilTomorrow(programme.filter(({ tests }) => tests)) }
}

export const readClassProgramme = (api: Api, classCode: string) =>
  found(api(getClassProgramme, { params: { classCode } }))

export const readChapterProgramme = (api: Api, id: number) =>
  found(api(getChapterProgramme, { params: { id } }))

export const readSubjectProgramme = (api: Api, classCode: string, subjectCode: string) =>
  found(api(getSubjectProgramme, { params: { classCode, subjectCode } }))

export async function readTeachers(api: Api): Promise<catalogue.Teacher[] | null> {
  const read = await settled(api(catalogue.listTeachers, {}))
  return read?.toSorted((a, b) => b.salesCount - a.salesCount) ?? null
}

export async function readTeacher(api: Api, id: number) {
  const [teacher, documents, ratings] = await Promise.all([
    found(api(catalogue.getTeacher, { params: { id } })),
    settled(api(catalogue.listTeacherDocuments, { params: { teacherId: id } })),
    settled(api(listCommentedTeacherRatings, { params: { id } })),
  ])
  return teacher && { teacher, documents, ratings }
}

/** Reads a page that administrators write; the rendered page is cached until they change it. */
export function readSitePage(
  { locals, cache }: Pick<AstroGlobal, 'locals' | 'cache'>,
  name: SitePageName,
): Promise<SitePage> {
  const { api, locale } = locals
  cache.set({ tags: [sitePageTag(name)] })
  return api(getSitePage, { params: { name }, query: { locale } })
}

export function readTransfer(api: Api, reference: string | undefined) {
  return readPayment(api, getTransfer, reference)
}

export function readSandboxPayment(api: Api, reference: string | undefined) {
  return readPayment(api, getSandboxPayment, reference)
}

async function readPayment<C extends AnyCall>(
  api: Api,
  call: C,
  paymentRef: string | undefined,
): Promise<Result<C> | null> {
  if (!is(paymentRef, paymentReference())) return null
  return found(api(call, { query: { paymentRef } } as Input<C>))
}

/** The number of the terms that are binding; null: none are, or another backend has none. */
export async function readTermsNumber({ locals: { api } }: AstroGlobal): Promise<number | null> {
  return (await settled(api(getTerms, {})))?.current?.number ?? null
}
