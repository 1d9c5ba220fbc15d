import type { Insertable, Kysely } from 'kysely'
import { sql } from 'kysely'
import { KINDS_OF_CATEGORIES, TRIMESTERS } from '../../src/rules/papers.ts'
import { readSchoolLists, type SchoolLists } from '../../src/server/catalogue/catalogue.ts'
import { searchText } from '../../src/server/catalogue/search/search-text.ts'
import type { DocumentsTable } from '../../src/server/database/document-tables.ts'
import type { Schema } from '../../src/server/database/schema.ts'
import { writeFirstVersions } from '../../src/server/documents/documents.ts'
import { type Random, randomFrom } from './random.ts'

// The papers of a whole school year and of the years before it, titled as teachers do: most state their facts,
// some say them in the title alone.

/** What a document is, whether it says so as facts or not. */
export interface TrueFacts {
  readonly class: string
  readonly subject: string
  readonly category: string
  readonly kind?: string
  readonly n?: number
  readonly t?: string
  readonly year?: number
  readonly corr?: 'yes'
  readonly title: string
}

const YEARS = [2022, 2023, 2024]
const NATIONAL_YEARS = [2020, 2021, ...YEARS]
const CONCOURS: Readonly<Record<string, readonly string[]>> = {
  concours6: ['mathematics', 'scientific-awakening', 'arabic', 'french', 'english'],
  concours9: ['mathematics', 'science', 'arabic', 'french', 'english'],
}
/** Subjects of few documents, which would be half of all. */
const RARE =
  'turkish chinese russian portuguese italian visual-arts music theatre physical-education'.split(
    ' ',
  )
const [CONTROLS, SYNTHESES, SERIES] = [6, 3, 3]

/** The names of kinds in titles, with a number where they have one. */
const KIND_NAMES: Readonly<Record<string, readonly string[]>> = {
  control: ['Devoir de contrôle N°#', 'DC #', 'فرض مراقبة عدد #', 'Devoir de contrôle n° #'],
  ordinary: ['فرض عادي عدد #', 'Devoir ordinaire #'],
  synthesis: ['Devoir de synthèse N°#', 'DS #', 'فرض تأليفي عدد #', 'Synthèse #'],
  series: ['Série d’exercices n°#', 'سلسلة تمارين عدد #', 'Série #'],
  homework: ['Devoir de maison', 'فرض منزلي'],
  mock: ['Bac blanc', 'باكالوريا تجريبيّة'],
  concours6: ['Concours 6ème année', 'مناظرة السنة السادسة'],
  concours9: ['Concours 9ème', 'مناظرة ختم التعليم الأساسي'],
  bac_main: ['Bac, session principale', 'الدورة الرئيسيّة'],
  bac_control: ['Bac, session de contrôle', 'دورة المراقبة'],
  lessons: ['Cours :', 'درس:', 'Leçon :'],
  summaries: ['Résumé :', 'ملخّص:'],
}
const FAMILY_NAMES = ['Mr Trabelsi', 'Mme Gharbi', 'أ. الجلاصي', 'Lycée pilote', '', '', '']

type Topic = Readonly<Record<'ar' | 'fr', string>>
interface Place {
  readonly classe: SchoolLists['classes'][number]
  readonly subject: SchoolLists['subjects'][number]
}

/** Adds these documents to a shop that has the lists of the school; returns what each is, by its id. */
export async function addManyPapers(
  db: Kysely<Schema>,
  { teacherIds, fileId }: { teacherIds: readonly number[]; fileId: number },
): Promise<ReadonlyMap<number, TrueFacts>> {
  const random = randomFrom(45)
  const lists = await readSchoolLists()
  const { rows } = await sql<{ classCode: string; subjectCode: string; chapters: Topic[] | null }>`
    SELECT niveaux.code AS class_code, matieres.code AS subject_code, (
        SELECT jsonb_agg(jsonb_build_object('ar', name_ar, 'fr', name_fr) ORDER BY chapters.position)
        FROM chapters WHERE chapters.niveau_id = niveaux.id AND chapters.matiere_id = matieres.id
      ) AS chapters
    FROM class_subjects JOIN niveaux ON niveaux.id = niveau_id JOIN matieres ON matieres.id = matiere_id
    ORDER BY niveaux.id, matieres.id`.execute(db)
  const pairs = rows.flatMap(({ classCode, subjectCode, chapters }) => {
    const classe = lists.classes.find(({ code }) => code === classCode)
    const subject = lists.subjects.find(({ code }) => code === subjectCode)
    return classe && subject && !RARE.includes(subject.code) ? [{ classe, subject, chapters }] : []
  })
  const categories = await db.selectFrom('categories').select(['id', 'code']).execute()
  const { last } = await db
    .selectFrom('documents')
    .select((fn) => fn.fn.max('id').as('last'))
    .executeTakeFirstOrThrow()
  let id = last ?? 0
  const all = new Map<number, TrueFacts>()
  const documents: Insertable<DocumentsTable>[] = []
  const addOne = (
    { classe, subject }: Place,
    facts: Pick<TrueFacts, 'category' | 'kind' | 'n' | 't' | 'year'>,
    { topic = '', isCorrected = false, isStated = true },
  ) => {
    id++
    const title = titleOf({ classe, subject }, facts, { topic, isStated, isCorrected, random })
    const names = { class: classe.code, subject: subject.code, title }
    all.set(id, { ...names, ...facts, ...(isCorrected && { corr: 'yes' }) })
    const teacherId = random.pick(teacherIds)
    const moment = new Date(Date.UTC(2026, 0, 15) - id * 60_000)
    documents.push({
      ...{ id, teacherId, title, fileId, description: '', price: 2000, priceDiscount: null },
      categoryId: categories.find(({ code }) => code === facts.category)?.id ?? 0,
      ...{ matiereId: subject.id, niveauId: classe.id, level: classe.level },
      ...{ audience: 'Pour Élève', salesCount: random.between(0, 300), state: 'published' },
      searchText: searchText({ title, teacher: `Teacher ${teacherId}` }),
      ...{ firstPublishedAt: moment, uploadedAt: moment },
      ...(isStated &&
        facts.kind && {
          paperKind: facts.kind,
          paperNumber: facts.n === undefined ? null : String(facts.n),
          // A synthesis proves its term; some teachers state neither term nor year.
          trimester: random.unit() < 0.8 ? ((facts.t as 't1' | undefined) ?? null) : null,
          schoolYear: facts.year ?? null,
          correctionPage: isCorrected ? 3 : null,
        }),
    })
  }
  /** Two teachers have each paper, one of them with its correction; of some, a third states nothing but a title. */
  const add = (place: Place, facts: Parameters<typeof addOne>[1], topic = '') => {
    addOne(place, facts, { topic })
    if (!facts.kind) return
    addOne(place, facts, { isCorrected: true })
    const isOneMore = random.unit() < 0.3
    if (isOneMore) addOne(place, facts, { isCorrected: random.unit() < 0.4, isStated: false })
  }
  for (const pair of pairs) {
    const { classe, subject, chapters } = pair
    const control = classe.level === 'middle-school' ? ['control', 'ordinary'] : ['control']
    for (let n = 1; n <= CONTROLS; n++) {
      const t = TRIMESTERS[Math.ceil(n / 2) - 1] as string
      const kind = random.pick(control)
      for (const year of YEARS) add(pair, { category: 'exams', kind, n, t, year })
    }
    for (let n = 1; n <= SYNTHESES; n++) {
      for (const year of YEARS)
        add(pair, { category: 'exams', kind: 'synthesis', n, t: `t${n}`, year })
    }
    for (let n = 1; n <= SERIES; n++) add(pair, { category: 'exercises', kind: 'series', n })
    if (classe.level === 'primary-school') {
      add(pair, { category: 'exercises', kind: 'homework', t: random.pick(TRIMESTERS) })
    }
    for (const { ar, fr } of chapters ?? [subject.names]) {
      for (const topic of [ar, fr]) {
        for (const category of ['lessons', 'summaries']) add(pair, { category }, topic)
      }
    }
    for (const [kind, subjects] of Object.entries(CONCOURS)) {
      if (classe.code !== (kind === 'concours6' ? 'primary-6' : 'basic-9')) continue
      if (!subjects.includes(subject.code)) continue
      for (const year of NATIONAL_YEARS) add(pair, { category: 'exams', kind, year })
    }
    if (classe.code.startsWith('bac-')) {
      for (const year of NATIONAL_YEARS) {
        for (const kind of ['bac_main', 'bac_control']) {
          add(pair, { category: 'exams', kind, year })
        }
      }
      add(pair, { category: 'exams', kind: 'mock', year: random.pick(YEARS) })
    }
  }
  for (let from = 0; from < documents.length; from += 1000) {
    await db
      .insertInto('documents')
      .values(documents.slice(from, from + 1000))
      .execute()
  }
  await writeFirstVersions(db)
  return all
}

/** A title in Arabic or French; what is not stated as facts is in it. */
function titleOf(
  { classe, subject }: Place,
  { category, kind, n, year }: Pick<TrueFacts, 'category' | 'kind' | 'n' | 'year'>,
  from: { topic: string; isStated: boolean; isCorrected: boolean; random: Random },
): string {
  const { topic, isStated, isCorrected, random } = from
  const name = random.pick(KIND_NAMES[kind ?? category] ?? ['']).replace('#', String(n ?? ''))
  const isArabic = /[ء-ي]/.test(name)
  const [subjectName, className] = isArabic
    ? [subject.names.ar, classe.names.ar]
    : [subject.names.fr, classe.names.fr]
  if (topic) return `${name} ${topic}`
  const isShort = isStated && random.unit() < 0.4
  const isNational = kind?.startsWith('bac_') || kind?.startsWith('concours')
  const years = year && (isNational ? String(year) : `${year}-${year + 1}`)
  return [
    ...random.pick([
      [name, subjectName],
      [subjectName, name],
    ]),
    ...(isShort ? [] : [className]),
    ...(years && (!isStated || random.unit() < 0.3) ? [`(${years})`] : []),
    ...(isCorrected && !isStated ? [isArabic ? 'مع الإصلاح' : 'avec correction'] : []),
    random.pick(FAMILY_NAMES),
  ]
    .filter(Boolean)
    .join(' - ')
}

/** Whether a document is what is wanted: an ordinary test is a control test, and `words` are some of its title. */
export function isWanted(facts: TrueFacts, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([key, value]) => {
    if (key === 'words') return value.split(' ').some((word) => facts.title.includes(word))
    const given = String(facts[key as keyof TrueFacts] ?? '')
    return key === 'kind' ? asControl(given) === value : given === value
  })
}

const asControl = (kind: string) => (kind === KINDS_OF_CATEGORIES.exams[1] ? 'control' : kind)
