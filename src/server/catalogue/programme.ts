import { sql } from 'kysely'
import * as calls from '../../contract/programme.ts'
import type { Listed, ListedClass } from '../../contract/references.ts'
import { datesAhead, isInWeekOf, type TestDates } from '../../rules/calendar.ts'
import { CODE_PATTERN } from '../../rules/catalogue-lists.ts'
import { chapterAddress } from '../../rules/chapters.ts'
import { isTest, papersInOrder, sumOf } from '../../rules/programme.ts'
import { tunisianDay } from '../../rules/tunisia-time.ts'
import type { Deps, FiledDocuments } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { type Route, route } from '../http/route.ts'
import { readCalendar } from './calendar.ts'
import { readListed } from './listed.ts'
import { presentChapter, readChapters } from './names.ts'

// The programme is the lists of classes and subjects with what the index has for them: each page is
// some sums over counts in memory, whatever the size of the catalogue.

export const programmeRoutes: Route[] = [
  route(calls.listProgramme, async ({ deps }) => {
    const { classes, filed } = await readProgramme(deps)
    const today = tunisianDay(new Date(deps.now()))
    const calendar = await readCalendar(deps)
    return classes.map((classe) => {
      const [next] = datesAhead(calendar, { classCode: classe.code ?? '', today })
      const tests = next ? (isInWeekOf(next, today) ? 'this week' : 'ahead') : null
      return { classe, documents: sumOf(ofClass(filed, classe)), tests } as const
    })
  }),
  route(calls.getClassProgramme, async ({ input, deps }) => {
    const programme = await readProgramme(deps)
    const classe = named(programme.classes, input.params.classCode)
    const subjects = subjectsOf(programme, classe)
    const { today, ahead } = await readAhead(deps, classe)
    const filed = ofClass(programme.filed, classe)
    const thisWeek = ahead
      .filter((dates) => isInWeekOf(dates, today))
      .map((dates) => {
        const tested = filed.filter(isOf(dates))
        const ofSubjects = subjects.map(({ matiere }) => ({
          matiere,
          ...counted(ofSubject(tested, matiere)),
        }))
        return { dates, subjects: ofSubjects.filter(({ documents }) => documents > 0) }
      })
    return { classe, subjects, today, ahead, thisWeek }
  }),
  route(calls.getSubjectProgramme, async ({ input, deps }) => {
    const { classCode, subjectCode } = input.params
    const programme = await readProgramme(deps)
    const classe = named(programme.classes, classCode)
    const subjects = subjectsOf(programme, classe)
    const matiere = named(
      subjects.map((each) => each.matiere),
      subjectCode,
    )
    const filed = ofSubject(ofClass(programme.filed, classe), matiere)
    const dates = await readAhead(deps, classe)
    const isOfIt = sql`niveau_id = ${classe.id} AND matiere_id = ${matiere.id}`
    const chapters = (await readChapters(deps.database.kysely, isOfIt))
      .map(({ isHidden, ...chapter }) => {
        const counts = counted(ofChapter(filed, chapter.id))
        return { isHidden, chapter: presentChapter(chapter), ...counts }
      })
      .filter(({ isHidden, documents }) => !isHidden || documents > 0)
      .map(({ isHidden: _, ...chapter }) => chapter)
    return { classe, matiere, ...dates, ...(await listedOf(deps, filed)), chapters }
  }),
  route(calls.getChapterProgramme, async ({ input, deps }) => {
    const { id } = input.params
    const isMeant = sql`id = ${id} OR id = (SELECT merged_into FROM chapters WHERE id = ${id})`
    const [chapter] = await readChapters(deps.database.kysely, sql`(${isMeant})`)
    const { classes, subjects, filed } = await readProgramme(deps)
    const classe = classes.find((each) => each.id === chapter?.niveauId)
    const matiere = subjects.find((each) => each.id === chapter?.matiereId)
    if (!chapter || !classe || !matiere) throw fault('not_found')
    const own = ofChapter(filed, chapter.id)
    return { chapter: presentChapter(chapter), classe, matiere, ...(await listedOf(deps, own)) }
  }),
]

/** The paths of the programme's pages that have documents. */
export async function programmePaths(deps: Pick<Deps, 'database' | 'catalogue'>) {
  const programme = await readProgramme(deps)
  const ids = [...new Set(programme.filed.flatMap(({ chapterIds }) => chapterIds))]
  const isInUse = sql`id = ANY (${ids}::integer[])`
  const chapters = await readChapters(deps.database.kysely, isInUse)
  return programme.classes.flatMap((classe) => {
    const filed = ofClass(programme.filed, classe)
    if (filed.length === 0) return []
    const path = `/programme/${classe.code}`
    const below = programme.subjects.flatMap((matiere) => {
      const ofIt = ofSubject(filed, matiere)
      if (ofIt.length === 0) return []
      const own = `${path}/${matiere.code}`
      const ownChapters = chapters.filter(
        ({ id, niveauId, matiereId }) =>
          niveauId === classe.id && matiereId === matiere.id && ofChapter(ofIt, id).length > 0,
      )
      const tests = papersInOrder(ofIt).filter((paper) => isTest(paper, programme.categories))
      const trimesters = new Set(tests.flatMap(({ trimester }) => trimester ?? []))
      return [
        own,
        ...[...trimesters].map((trimester) => `${own}/${trimester}`),
        ...ownChapters.map((chapter) => `${own}/c/${chapterAddress(presentChapter(chapter))}`),
      ]
    })
    return [path, ...below]
  })
}

/** The dates of a class that are not over today. */
async function readAhead(deps: Pick<Deps, 'database' | 'now'>, { code }: ListedClass) {
  const today = tunisianDay(new Date(deps.now()))
  const ahead = datesAhead(await readCalendar(deps), { classCode: code ?? '', today })
  const named = await kindNamer(deps)
  return {
    today,
    ahead: ahead.map(({ id: _, classes: _all, ...dates }) => ({ ...dates, ...named(dates.kind) })),
  }
}

/** Returns a function that gives the names of a kind of papers that administrators have added. */
async function kindNamer(deps: Pick<Deps, 'database'>) {
  const kinds = await readListed(deps, 'paper_kinds')
  return (kind: string) => {
    const kindNames = kinds.find(({ code }) => code === kind)?.names
    return kindNames && { kindNames }
  }
}

/** Whether papers are of the kind and trimester that dates name, as the shop's filters find them. */
const isOf =
  ({ kind, trimester }: TestDates) =>
  (papers: FiledDocuments) =>
    papers.paperKind === kind && (trimester === null || papers.trimester === trimester)

interface Programme {
  readonly classes: readonly ListedClass[]
  readonly subjects: readonly Listed[]
  readonly categories: readonly Listed[]
  readonly filed: readonly FiledDocuments[]
}

async function readProgramme(deps: Pick<Deps, 'database' | 'catalogue'>): Promise<Programme> {
  const [classes, subjects, categories, filed] = await Promise.all([
    readListed(deps, 'niveaux'),
    readListed(deps, 'matieres'),
    readListed(deps, 'categories'),
    deps.catalogue.filed(),
  ])
  return { classes: classes.filter(hasPage), subjects: subjects.filter(hasPage), categories, filed }
}

const CODE = new RegExp(`^${CODE_PATTERN}$`)
const hasPage = ({ code, retired }: Listed) => CODE.test(code ?? '') && retired !== 'unused'

function named<Entry extends Listed>(list: readonly Entry[], code: string): Entry {
  const found = list.find((entry) => entry.code === code)
  if (!found) throw fault('not_found')
  return found
}

const ofClass = (filed: readonly FiledDocuments[], { id }: ListedClass) =>
  filed.filter(({ niveauId }) => niveauId === id)
const ofSubject = (filed: readonly FiledDocuments[], { id }: Listed) =>
  filed.filter(({ matiereId }) => matiereId === id)

const ofChapter = (filed: readonly FiledDocuments[], id: number) =>
  filed.filter(({ chapterIds }) => chapterIds.includes(id))

/** The counts of some documents, their papers in order, and how many are of each category. */
async function listedOf(deps: Pick<Deps, 'database'>, filed: readonly FiledDocuments[]) {
  const categories = (await readListed(deps, 'categories'))
    .map((categorie) => ({
      categorie,
      documents: sumOf(filed.filter(({ categoryId }) => categoryId === categorie.id)),
    }))
    .filter(({ documents }) => documents > 0)
  const named = await kindNamer(deps)
  const papers = papersInOrder(filed).map((paper) => ({ ...paper, ...named(paper.paperKind) }))
  return { ...counted(filed), papers, categories }
}

const counted = (filed: readonly FiledDocuments[]) => ({
  documents: sumOf(filed),
  corrected: sumOf(filed.filter(({ isCorrected }) => isCorrected)),
})

/** The subjects that a class has, and those of its documents. */
function subjectsOf({ subjects, filed }: Programme, classe: ListedClass) {
  const own = ofClass(filed, classe)
  return subjects
    .map((matiere) => ({ matiere, ...counted(ofSubject(own, matiere)) }))
    .filter(({ matiere: { id, retired }, documents }) => {
      const isTaught = !retired && (classe.subjectIds?.includes(id) ?? true)
      return isTaught || documents > 0
    })
}
