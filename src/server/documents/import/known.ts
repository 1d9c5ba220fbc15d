import type { Kysely } from 'kysely'
import { LOCALES } from '../../../i18n/locales.ts'
import { TEXTS } from '../../../i18n/texts.ts'
import { type NamedEntry, nameIn } from '../../../rules/catalogue-names.ts'
import { FIELD_NAMES, ruleOf, columnOf as storedIn } from '../../../rules/document-fields.ts'
import { IMPORTED_DRAFTS_MAX } from '../../../rules/imports.ts'
import type { Level } from '../../../rules/price-bands.ts'
import {
  isBehindFile,
  pagesOfPaper,
  samplePagesMax,
  sampleProblem,
} from '../../../rules/reading.ts'
import type { Schema } from '../../database/schema.ts'
import type { ListEntry, ListedDocument, Shop } from './check-rows.ts'
import { columnOf } from './columns.ts'
import { type ListOwner, listReference } from './owner.ts'
import { type ImportProblem, type ProblemCode, problemOfList } from './problems.ts'

export async function readShop(db: Kysely<Schema>): Promise<Shop> {
  const [subjects, classes, categories, kinds, chapters, teachers, accounts] = await Promise.all([
    db.selectFrom('matieres').select(ENTRY).orderBy('position').orderBy('id').execute(),
    db
      .selectFrom('niveaux')
      .select([...ENTRY, 'level'])
      .orderBy('position')
      .orderBy('id')
      .execute(),
    db.selectFrom('categories').select(ENTRY).orderBy('position').orderBy('id').execute(),
    db.selectFrom('paperKinds').select(ENTRY).orderBy('position').orderBy('id').execute(),
    db
      .selectFrom('chapters')
      .select(['id', 'niveauId', 'matiereId', 'nameAr', 'nameFr', 'aliases', 'isHidden'])
      .where('mergedInto', 'is', null)
      .orderBy('position')
      .orderBy('id')
      .execute(),
    db.selectFrom('teachers').select('email').execute(),
    db.selectFrom('users').select('email').where('role', '<>', 'TEACHER').execute(),
  ])
  return {
    subjects: subjects.map((row) => withNames(row, 'matieres')),
    classes: classes.map((row) => ({ ...withNames(row, 'niveaux'), level: row.level as Level })),
    categories: categories.map((row) => withNames(row, 'categories')),
    kinds: kinds.map((row) => withNames(row)),
    chapters: chapters.map(({ nameAr, nameFr, aliases, isHidden, ...row }) => {
      return { ...row, names: [nameAr, nameFr, ...aliases], isRetired: isHidden }
    }),
    teachers: new Set(teachers.map(({ email }) => email.toLowerCase())),
    otherAccounts: new Set(accounts.map(({ email }) => email ?? '')),
  }
}

const ENTRY = ['id', 'name', 'code', 'names', 'isRetired'] as const

interface NamedRow extends NamedEntry {
  readonly id: number
  readonly code: string | null
  readonly isRetired: boolean
}

function withNames(row: NamedRow, list?: 'matieres' | 'niveaux' | 'categories'): ListEntry {
  const { id, code, name, isRetired } = row
  const inLanguages = LOCALES.map((locale) =>
    nameIn(locale, row, list ? TEXTS[locale].catalogue[list] : {}),
  )
  return {
    id,
    isRetired,
    code,
    inLanguages,
    names: [...(code ? [code] : []), name, ...inLanguages],
  }
}

/** An existing document, as far as a list can change it; `sha256` is that of its file. */
export type KnownDocument = Awaited<ReturnType<ReturnType<typeof knownQuery>['execute']>>[number]

/** The documents with these references, by reference; within a transaction they are locked. */
export async function readKnown(
  db: Kysely<Schema>,
  references: readonly string[],
): Promise<Map<string, KnownDocument>> {
  const query = knownQuery(db).where('d.reference', 'in', references)
  const rows = await (db.isTransaction ? query.forNoKeyUpdate('d') : query).execute()
  return new Map(rows.map((row) => [row.reference, row]))
}

function knownQuery(db: Kysely<Schema>) {
  return db
    .selectFrom('documents as d')
    .innerJoin('teachers as t', 't.id', 'd.teacherId')
    .leftJoin('files as f', 'f.id', 'd.fileId')
    .selectAll('d')
    .select(['t.email as teacherEmail', 'f.sha256'])
    .orderBy('d.id')
}

/** The known files of a document; the cover is known only once it is stored. */
interface Files {
  readonly sha256: string
  readonly coverPath?: string | null
}

/** The reason why a list may not change an existing document in this way; null if it may. */
export function knownProblem(
  document: ListedDocument,
  known: KnownDocument | undefined,
  owner: ListOwner,
  files?: Files,
): ImportProblem | null {
  if (!known) return null
  return owner.teacher ? ownProblem(document, known, files) : stateProblem(document, known)
}

function stateProblem(document: ListedDocument, known: KnownDocument): ImportProblem | null {
  if (known.teacherEmail.toLowerCase() !== document.teacher.email) {
    return {
      row: document.row,
      column: 'teacher_email',
      code: 'other_teacher',
      detail: known.teacherEmail,
    }
  }
  // Buyers keep a document, so one that was once for sale cannot become a draft again.
  if (document.state === 'draft' && known.firstPublishedAt !== null) {
    return { row: document.row, column: 'state', code: 'state_impossible', detail: known.state }
  }
  return null
}

/** A document under review may not change, nor, without a review, its file once it was for sale. */
function ownProblem(
  document: ListedDocument,
  known: KnownDocument,
  files: Files | undefined,
): ImportProblem | null {
  const { row } = document
  const stored = { ...document, ...files }
  const changed = FIELD_NAMES.filter((field) => {
    if (field === 'file') return files !== undefined && files.sha256 !== known.sha256
    const column = storedIn(field) as keyof KnownDocument & keyof typeof stored
    return stored[column] !== undefined && String(stored[column]) !== String(known[column])
  })
  if (known.state === 'submitted' && (changed.length > 0 || isSampleChanged(document, known))) {
    return { row, column: 'reference', code: 'under_review', detail: known.title }
  }
  const reviewed = changed.find((field) => {
    const rule = ruleOf(field)
    return rule.kind === 'upload' && rule.isReviewedAgain
  })
  if (known.firstPublishedAt === null || !reviewed) return null
  return { row, column: columnOf(reviewed), code: 'file_for_sale', detail: known.title }
}

const SAMPLE_PROBLEMS = {
  unknown: 'unknown_page',
  repeated: 'repeated_page',
  'too many': 'too_many_pages',
} as const satisfies Readonly<Record<string, ProblemCode>>

/** The problem of a sample whose pages do not fit a file of `filePages` pages; null for none. */
export function samplePagesProblem(
  { row, samplePages, correctionPage }: ListedDocument,
  filePages: number,
): ImportProblem | null {
  const pageCount = pagesOfPaper(filePages, correctionPage)
  const problem = samplePages && sampleProblem(samplePages, pageCount)
  if (!problem) return null
  const most = problem === 'too many' ? samplePagesMax(pageCount) : pageCount
  const detail = problem === 'repeated' ? samplePages.join(', ') : String(most)
  return { row, column: 'sample', code: SAMPLE_PROBLEMS[problem], detail }
}

/** The problem of a correction that begins behind the last page of the file; null for none. */
export function correctionProblem(
  { row, correctionPage }: ListedDocument,
  pageCount: number | null,
): ImportProblem | null {
  if (!isBehindFile(correctionPage, pageCount)) return null
  return {
    row,
    column: columnOf('correctionPage'),
    code: 'unknown_page',
    detail: String(pageCount),
  }
}

/**
 * The problems of retired entries that a document would newly get; it may keep those that it has.
 */
export function retiredProblems(
  document: ListedDocument,
  known: KnownDocument | undefined,
  shop: Pick<Shop, 'subjects' | 'classes' | 'categories' | 'kinds' | 'chapters'>,
): ImportProblem[] {
  const named = [
    ['subject', shop.subjects, document.matiereId, known?.matiereId],
    ['class', shop.classes, document.niveauId, known?.niveauId],
    ['category', shop.categories, document.categoryId, known?.categoryId],
    ...(document.chapterIds ?? []).map(
      (id) =>
        ['chapters', shop.chapters, id, known?.chapterIds.find((each) => each === id)] as const,
    ),
  ] as const
  const kind = shop.kinds.find(({ code }) => code === document.paperKind)
  return [
    ...named.flatMap(([column, entries, wanted, own]) => {
      const entry = entries.find(({ id }) => id === wanted)
      return entry?.isRetired && wanted !== own ? { column, entry } : []
    }),
    ...(kind?.isRetired && kind.code !== known?.paperKind
      ? [{ column: columnOf('paperKind'), entry: kind }]
      : []),
  ].map(({ column, entry: { names } }) => {
    return { row: document.row, column, code: 'not_listed', detail: names[0] ?? '' }
  })
}

/**
 * The problem if a teacher's list would create more drafts than one teacher may have; null
 * otherwise.
 */
export async function draftsProblem(
  db: Kysely<Schema>,
  added: number,
  { teacher }: ListOwner,
): Promise<ImportProblem | null> {
  if (!teacher || added === 0) return null
  const { count } = await db
    .selectFrom('documents')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('teacherId', '=', teacher.id)
    .where('firstPublishedAt', 'is', null)
    .where('reference', 'like', listReference(teacher.id, '%'))
    .executeTakeFirstOrThrow()
  return Number(count) + added > IMPORTED_DRAFTS_MAX
    ? problemOfList('too_many_drafts', String(IMPORTED_DRAFTS_MAX))
    : null
}

export function isSampleChanged(
  { samplePages }: Pick<ListedDocument, 'samplePages'>,
  before: Pick<KnownDocument, 'samplePages'>,
): boolean {
  return samplePages !== undefined && String(samplePages) !== String(before.samplePages)
}
