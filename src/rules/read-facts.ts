import { isNational, TRIMESTERS } from './papers.ts'
import { searchedPart } from './pasted-text.ts'
import { classAndSubjectIn, classOfExamination, contestIn } from './read-class.ts'
import { correctionIn, testIn, trimesterOf } from './read-test.ts'
import {
  following,
  free,
  isAttached,
  isOrdinal,
  isSmall,
  isYear,
  leftOver,
  only,
  type Part,
  type Read,
  type ReadFacts,
  type Reading,
  ROMAN,
  said,
  says,
  startReading,
  take,
  written,
} from './read-words.ts'
import { isBreak, isGlue, type Piece, type Vocabulary } from './school-words.ts'

// What titles and searches say as facts; here also the year, the term, the duration and the names of a title.

/** The longest title that is read, in UTF-16 code units. */
const READ_TITLE_MAX_LENGTH = 300

/** The part of a first page that is read: its head. */
const READ_PAGE_MAX_LENGTH = 500

/**
 * The facts that a document's title states, in any of the three languages and the spellings that
 * teachers use; where the title is silent, those that the head of its first page states. For
 * proposals: a person accepts them.
 */
export function readTitle(title: string, vocabulary: Vocabulary, firstPage = ''): ReadFacts {
  const inTitle = readText(title.slice(0, READ_TITLE_MAX_LENGTH), vocabulary, 'title')
  const head = firstPage.slice(0, READ_PAGE_MAX_LENGTH)
  if (head.trim() === '') return inTitle
  // A page with answers on it may be a correction alone, or mention one.
  const { hasCorrection: _, ...inPage } = readText(head, vocabulary, 'page')
  return { ...withoutContradictions(inPage, inTitle), ...inTitle }
}

/**
 * What a page says beside a title: nothing, if they name different classes, subjects or years, since it is the page of
 * another paper. A number or a trimester belongs to the kind beside it.
 */
function withoutContradictions(page: ReadFacts, title: ReadFacts): ReadFacts {
  const isOther = (['classCode', 'subjectCode', 'year'] as const).some(
    (name) => page[name] && title[name] && page[name].value !== title[name].value,
  )
  if (isOther) return {}
  if (!title.kind || !page.kind || title.kind.value === page.kind.value) return page
  const { number: _number, trimester: _trimester, ...others } = page
  return others
}

/** A search as it is understood. */
interface ReadSearch {
  /** Each with the words that it was read from: without them, the search does not say it. */
  readonly facts: Pick<
    ReadFacts,
    'classCode' | 'subjectCode' | 'kind' | 'number' | 'trimester' | 'year' | 'hasCorrection'
  >
  /** The words that were not understood, as typed and in their order. */
  readonly words: string
}

/**
 * What the words of a search say, in any language and mixture, and Arabic in Latin letters. A
 * single year counts, of a session or of a school year. The number of a synthesis test and the
 * trimester that it proves have one part: take the trimester as a wish, since papers may lack it.
 */
export function readSearch(search: string, vocabulary: Vocabulary): ReadSearch {
  const text = searchedPart(search)
  const reading = startReading(text, vocabulary, 'title', true)
  const { minutes: _m, school: _s, teacher: _t, trimester, ...facts } = factsOf(reading)
  return {
    facts: trimester?.sure ? { ...facts, trimester } : facts,
    words: leftOver(reading),
  }
}

/** The search without some parts of it, such as those of a fact that its reader took away. */
export function withoutParts(search: string, parts: readonly Part[]): string {
  const isGone = (at: number) => parts.some(({ from, to }) => from <= at && at < to)
  const units = searchedPart(search).split('')
  return units
    .map((unit, at) => (isGone(at) ? ' ' : unit))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}

function readText(text: string, vocabulary: Vocabulary, place: Part['in']): ReadFacts {
  return factsOf(startReading(text, vocabulary, place, false))
}

/**
 * Reads one fact after the other; each takes its words from those that come later, so that the 2 of
 * a second trimester is no number of a test, and the mathematics of a class no subject.
 */
function factsOf(reading: Reading): ReadFacts {
  setCountedAside(reading)
  const years = yearsIn(reading)
  const minutes = minutesIn(reading)
  const trimester = trimesterIn(reading)
  const { isSearch } = reading
  const teacher = isSearch ? undefined : teacherIn(reading)
  const school = isSearch ? undefined : schoolIn(reading)
  const test = testIn(reading)
  const hasCorrection = correctionIn(reading)
  const { schoolClass, subjectCode, grade } = classAndSubjectIn(reading, test.bac)
  const kind = test.kind ?? contestIn(reading, schoolClass?.value, grade)
  const isOfPrep = schoolClass?.value.stage === 'prep'
  // In preparatory classes DS is a devoir surveillé.
  const keptKind = isOfPrep && kind?.value === 'synthesis' ? undefined : kind
  const classCode = schoolClass
    ? { ...schoolClass, value: schoolClass.value.code }
    : classOfExamination(reading, keptKind)
  return defined({
    classCode,
    subjectCode,
    kind: keptKind,
    number: test.number,
    trimester: trimester ?? trimesterOf(keptKind, test.number),
    year: yearOf(reading, years, keptKind),
    minutes,
    school,
    teacher,
    hasCorrection,
  })
}

function defined(facts: { readonly [Name in keyof ReadFacts]: ReadFacts[Name] | undefined }) {
  return Object.fromEntries(
    Object.entries(facts).filter(([, fact]) => fact !== undefined),
  ) as ReadFacts
}

/** The numbers of chapters and pages, which are no number of a test or class. */
function setCountedAside(reading: Reading): void {
  for (const [at, piece] of reading.pieces.entries()) {
    if (!says(piece, 'counted')) continue
    let next = at + 1
    if (says(following(reading, next), 'numberMark')) next++
    while (isSmall(free(reading, next)) && !isOrdinal(reading, next)) {
      reading.used[next] = true
      next++
      if (reading.pieces[next]?.gap.trim() !== '-') break
    }
  }
}

/** The month in which a school year begins. */
const FIRST_MONTH = 9

interface Years {
  readonly schoolYear?: Read<number>
  /** Where the text has several of them, none is known. */
  readonly single?: Read<number>
  /** Whether the single year is that of a session. */
  readonly isOfSession: boolean
}

function yearsIn(reading: Reading): Years {
  const { pieces } = reading
  const schoolYears: Read<number>[] = []
  const singles: Read<number>[] = []
  let isOfSession = false
  for (const [at, piece] of pieces.entries()) {
    if (reading.used[at] || piece.number === null) continue
    const next = free(reading, at + 1)
    const after = free(reading, at + 2)
    if (isDate(piece, next, after)) {
      const value = schoolYearOf(after?.number as number, next?.number as number)
      schoolYears.push({ value, part: take(reading, at, at + 2) })
      continue
    }
    const first = firstOfPair(reading, at)
    if (first !== null) {
      schoolYears.push({ value: first, part: take(reading, at, at + 1) })
    } else if (isYear(piece)) {
      const month = said(pieces[at - 1], 'month')
      const isSession =
        says(pieces[at - 1], 'session') || (month !== undefined && says(pieces[at - 2], 'session'))
      if (isSession) isOfSession = true
      const single = { value: piece.number, part: take(reading, at, at) }
      singles.push(single)
      if (month && !isSession) {
        schoolYears.push({ value: schoolYearOf(piece.number, month.value), part: single.part })
      }
    }
  }
  const [schoolYear, single] = [only(schoolYears), only(singles)]
  return { ...(schoolYear && { schoolYear }), ...(single && { single }), isOfSession }
}

const schoolYearOf = (year: number, month: number): number =>
  month >= FIRST_MONTH ? year : year - 1

const isDate = (day: Piece, month?: Piece, year?: Piece): boolean =>
  isSmall(day) &&
  isSmall(month) &&
  isYear(year) &&
  (day.number ?? 0) <= 31 &&
  (month?.number ?? 13) <= 12 &&
  month?.gap === year.gap &&
  /^\s?[-/.]\s?$/.test(year.gap)

/** The first year of `2024-2025`, `2024/25` or `24/25`, also from right to left; null if none. */
function firstOfPair(reading: Reading, at: number): number | null {
  const [one, other] = [reading.pieces[at], free(reading, at + 1)]
  if (!one || !other || other.number === null || one.number === null) return null
  if (!/^\s{0,2}[-–—/_\\]?\s{0,2}$/.test(other.gap) || other.gap === '') return null
  if (isYear(one) && isYear(other)) {
    return Math.abs(one.number - other.number) === 1 ? Math.min(one.number, other.number) : null
  }
  if (other.to - other.from !== 2) return null
  if (isYear(one)) return (one.number + 1) % 100 === other.number ? one.number : null
  // Short forms of years before 2005 are not known from other numbers.
  const isShort = one.to - one.from === 2 && one.number >= 5 && other.gap.trim() !== ''
  return isShort && other.number === one.number + 1 ? 2000 + one.number : null
}

function yearOf(
  { isSearch }: Reading,
  { schoolYear, single, isOfSession }: Years,
  kind?: Read<string>,
): Read<number> | undefined {
  if (kind && isNational(kind.value)) {
    // Sessions are in the second year of a school year.
    return single ?? (schoolYear && { ...schoolYear, value: schoolYear.value + 1 })
  }
  return schoolYear ?? (isOfSession || isSearch ? single : undefined)
}

const MINUTES = { least: 10, most: 360 } as const

function minutesIn(reading: Reading): Read<number> | undefined {
  const found: Read<number>[] = []
  const add = (value: number, first: number, last: number) => {
    if (value < MINUTES.least || value > MINUTES.most) return
    found.push({ value, part: take(reading, first, last) })
  }
  for (const [at, piece] of reading.pieces.entries()) {
    if (reading.used[at]) continue
    const next = following(reading, at + 1)
    const duration = said(piece, 'duration')
    if (duration) add(duration.value, at, at)
    else if (says(piece, 'lasting') && says(next, 'hour')) add(60, at, at + 1)
    else if (piece.number !== null && says(next, 'minute')) add(piece.number, at, at + 1)
    else if (piece.number !== null && says(next, 'hour')) {
      const rest = following(reading, at + 2)
      // 1h05, but not 1h of class 2.
      const minutes = rest && rest.to - rest.from === 2 ? rest.number : null
      const last = minutes === null ? at + 1 : at + 2
      const hasUnit = minutes !== null && says(following(reading, at + 3), 'minute')
      add(piece.number * 60 + (minutes ?? 0), at, hasUnit ? at + 3 : last)
    }
  }
  return only(found)
}

function trimesterIn(reading: Reading): ReadFacts['trimester'] {
  const { pieces } = reading
  const found: Read<number>[] = []
  for (const [at, piece] of pieces.entries()) {
    if (reading.used[at]) continue
    const value =
      says(piece, 'trimester') || (piece.word === 't' && isAttached(pieces[at + 1]))
        ? trimesterAfter(reading, at)
        : null
    if (value) {
      found.push({ value: value.value, part: take(reading, at, value.last) })
    } else if (says(piece, 'trimester')) {
      const before = trimesterBefore(reading, at)
      if (before) found.push({ value: before.value, part: take(reading, before.first, at) })
    }
  }
  const trimester = only(found)
  return trimester && { ...trimester, sure: true }
}

function trimesterAfter(reading: Reading, at: number): { value: number; last: number } | null {
  const last = says(following(reading, at + 1), 'numberMark') ? at + 2 : at + 1
  const piece = following(reading, last)
  if (!piece || isOrdinal(reading, last)) return null
  // `3T2` is the second group of a class.
  if (reading.pieces[at]?.word === 't' && at > 0 && isAttached(reading.pieces[at])) return null
  const value = piece.number ?? ordinalOf(piece) ?? ROMAN.get(written(reading, piece))
  return value && value <= TRIMESTERS.length ? { value, last } : null
}

function trimesterBefore(reading: Reading, at: number): { value: number; first: number } | null {
  if (isBreak(reading.pieces[at]?.gap ?? '')) return null
  const isSuffixed = says(free(reading, at - 1), 'suffix')
  const first = isSuffixed ? at - 2 : at - 1
  const piece = free(reading, first)
  if (!piece || (isSuffixed && piece.number === null)) return null
  const value = piece.number ?? ordinalOf(piece)
  return value && value <= TRIMESTERS.length ? { value, first } : null
}

/** The value of an ordinal in words, of either gender. */
const ordinalOf = (piece: Piece): number | undefined =>
  said(piece, 'ordinal')?.value ?? said(piece, 'grade')?.value

/** The most words of a name. */
const NAME_WORDS_MAX = 5

function teacherIn(reading: Reading): Read<string> | undefined {
  for (const [at, piece] of reading.pieces.entries()) {
    const isTitle = says(piece, 'teacher')
    if (reading.used[at] || !(isTitle || says(piece, 'teaches'))) continue
    // للأستاذ is for teachers; 4ème M is a class.
    if (written(reading, piece).startsWith('ل')) continue
    const next = free(reading, at + 1)
    if (!next || !/^[\s.:]+$/.test(next.gap)) continue
    if (piece.word === 'm' && !next.gap.startsWith('.')) continue
    const first = written(reading, next)
    if (!isTitle && (!/^[\p{Lu}\p{Lo}]/u.test(first) || next.meanings.length > 0)) continue
    const isName = isTitle && /^[\p{Lu}\p{Lo}]/u.test(first)
    const last = endOfName(reading, at + (isName ? 2 : 1)) ?? (isName ? at + 1 : null)
    if (last === null) continue
    const part = take(reading, at, last)
    return { value: reading.text.slice(next.from, part.to), part }
  }
  return undefined
}

/** Signs within a name. */
const IN_NAME = /^[\s.'’-]*$/

/** The last piece of a name; null if there is none. */
function endOfName(reading: Reading, first: number): number | null {
  let last: number | null = null
  for (let at = first; at < first + NAME_WORDS_MAX; at++) {
    const piece = free(reading, at)
    if (!piece || piece.number !== null || piece.meanings.length > 0) break
    if (isGlue(piece.word) && !isParticle(piece)) break
    if (at > first && (!IN_NAME.test(piece.gap) || isBreak(piece.gap))) break
    // What follows a name is written small.
    if (at > first && /^\p{Ll}/u.test(written(reading, piece)) && !isParticle(piece)) break
    // A name does not end in a particle.
    if (!isParticle(piece)) last = at
  }
  return last
}

/** Words within names that are written small. */
const PARTICLES = new Set('ben bel el al ibn bou abou de du des d la'.split(' '))

const isParticle = ({ word }: Piece): boolean => PARTICLES.has(word)

function schoolIn(reading: Reading): Read<string> | undefined {
  for (const [at, piece] of reading.pieces.entries()) {
    if (reading.used[at]) continue
    const isOfKind = says(piece, 'schoolOfKind')
    if (!isOfKind && !says(piece, 'school')) continue
    let next = at + 1
    while (says(following(reading, next), 'schoolKind')) next++
    if (isOfKind && next === at + 1) continue
    const name = following(reading, next)
    if (!name || !isNameOfSchool(reading, name)) continue
    const last = endOfName(reading, next)
    if (last === null) continue
    const part = take(reading, at, last)
    return { value: part.text, part }
  }
  return undefined
}

/** Whether a word behind that for a school begins its name: in capitals, or in Arabic. */
const isNameOfSchool = (reading: Reading, piece: Piece): boolean =>
  /^[\p{Lu}\p{Lo}]/u.test(written(reading, piece)) || isParticle(piece)
