import { isNational, TRIMESTERS } from './papers.ts'
import { searchedPart } from './pasted-text.ts'
import {
  isBreak,
  isGlue,
  type Piece,
  piecesOf,
  type Says,
  type SchoolClass,
  type Vocabulary,
} from './school-words.ts'

/** The part of a text from which a fact was read. */
export interface Part {
  readonly in: 'title' | 'page'
  readonly text: string
  /** Its place in the text, in UTF-16 code units. */
  readonly from: number
  readonly to: number
}

interface Read<Value> {
  readonly value: Value
  readonly part: Part
  /** Others that say the same or belong to it, such as the section of a class apart from its year. */
  readonly others?: readonly Part[]
}

/** What a text says of a document. What it does not say, or not for sure, is missing. */
export interface ReadFacts {
  readonly classCode?: Read<string>
  readonly subjectCode?: Read<string>
  readonly kind?: Read<string>
  readonly number?: Read<number> & {
    /** As it is written: `01`, `١`, `الأول`. */
    readonly typed: string
  }
  readonly trimester?: Read<number> & {
    /** False where it follows from the number of a control test, which schools count differently. */
    readonly sure: boolean
  }
  /** The first year of a school year; for national examinations the year of the session. */
  readonly year?: Read<number>
  /** The duration. */
  readonly minutes?: Read<number>
  readonly school?: Read<string>
  readonly teacher?: Read<string>
  /** Whether the file has a correction; a correction alone says nothing of that. */
  readonly hasCorrection?: Read<boolean>
}

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

/** All parts of the text that state a fact. */
export const partsOf = ({ part, others = [] }: Omit<Read<unknown>, 'value'>): Part[] => [
  part,
  ...others,
]

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

interface Reading {
  readonly text: string
  readonly place: Part['in']
  readonly pieces: readonly Piece[]
  /** By piece: whether a fact was read from it. */
  readonly used: boolean[]
  readonly vocabulary: Vocabulary
  readonly isSearch: boolean
}

function startReading(
  text: string,
  vocabulary: Vocabulary,
  place: Part['in'],
  isSearch: boolean,
): Reading {
  const pieces = piecesOf(text, vocabulary, isSearch)
  return { text, place, pieces, used: pieces.map(() => false), vocabulary, isSearch }
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
  const { schoolClass, subjectCode, grade } = classAndSubjectIn(reading, test)
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

// Looking at pieces.

/** What a piece says of one thing, if it does. */
function said<Name extends Says>(piece: Piece | undefined, says: Name) {
  return piece?.meanings.find((meaning) => meaning.says === says) as
    | Extract<Piece['meanings'][number], { says: Name }>
    | undefined
}

const says = (piece: Piece | undefined, name: Says): boolean => said(piece, name) !== undefined

/** The piece at a place, unless another fact was read from it. */
const free = ({ pieces, used }: Reading, at: number): Piece | undefined =>
  used[at] ? undefined : pieces[at]

/** The free piece at a place of the same statement as the one before it. */
function following(reading: Reading, at: number): Piece | undefined {
  const piece = free(reading, at)
  return piece && !isBreak(piece.gap) ? piece : undefined
}

const isAttached = (piece: Piece | undefined): boolean => piece?.gap === ''

/** Takes pieces from the facts that are read later, and answers their part of the text. */
function take({ text, place, pieces, used }: Reading, first: number, last: number): Part {
  for (let at = first; at <= last; at++) used[at] = true
  const [from, to] = [pieces[first]?.from ?? 0, pieces[last]?.to ?? 0]
  return { in: place, text: text.slice(from, to), from, to }
}

/** The piece as it is written. */
const written = ({ text }: Reading, { from, to }: Piece): string => text.slice(from, to)

/** The place of the next piece that is no glue word. */
function skipGlue(reading: Reading, at: number): number {
  let next = at
  while (isGlue(following(reading, next)?.word ?? '')) next++
  return next
}

// Years, duration, trimester.

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

const isSmall = (piece: Piece | undefined): boolean =>
  piece !== undefined && piece.number !== null && piece.to - piece.from <= 2

/** Whether a number is followed by the ending of an ordinal: `9 ème`. */
function isOrdinal(reading: Reading, at: number): boolean {
  const next = following(reading, at + 1)
  if (!says(next, 'suffix')) return false
  // One or two letters alone may be a word.
  return isAttached(next) || (next?.word.length ?? 0) > 2
}

const YEARS = { first: 1990, last: 2079 } as const
/** The month in which a school year begins. */
const FIRST_MONTH = 9

function isYear(piece: Piece | undefined): piece is Piece & { number: number } {
  if (!piece || piece.number === null || piece.to - piece.from !== 4) return false
  return piece.number >= YEARS.first && piece.number <= YEARS.last
}

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

/** The only value of several readings, with the first one's part. */
function only<Value>(readings: readonly Read<Value>[]): Read<Value> | undefined {
  const [first] = readings
  return first && readings.every(({ value }) => value === first.value) ? first : undefined
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

const ROMAN: ReadonlyMap<string, number> = new Map([
  ['I', 1],
  ['II', 2],
  ['III', 3],
  ['IV', 4],
])

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

// Names.

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

// Kind and number.

interface Test {
  readonly kind?: Read<string> | undefined
  readonly number?: ReadFacts['number']
  /** The words of a kind that is one of the baccalauréat. */
  readonly bac?: Part | undefined
}

const BAC_KINDS: ReadonlySet<string> = new Set(['bac_main', 'bac_control'])
/** The highest numbers that are no class, where no sign says that it is a number. */
const NUMBER_MAX: Readonly<Partial<Record<string, number>>> = {
  control: 6,
  ordinary: 6,
  synthesis: 3,
}

function testIn(reading: Reading): Test {
  const { pieces, isSearch } = reading
  const places = [...pieces.keys()].filter((at) => !reading.used[at] && says(pieces[at], 'kind'))
  const sure = places.filter((at) => isSearch || !isWeakKind(reading, at))
  const kinds = new Set(sure.map((at) => said(pieces[at], 'kind')?.value))
  const ofBac = sure.find((at) => isNamedBac(pieces[at]))
  const bac = ofBac === undefined ? undefined : take(reading, ofBac, ofBac)
  const isPrepared = !isSearch && pieces.some((piece) => says(piece, 'preparing'))
  const [kind] = kinds
  if (kinds.size > 1) {
    for (const at of sure) reading.used[at] = true
    return { bac }
  }
  if (!kind) return { number: isSearch ? undefined : numberOfTest(reading), bac }
  if (isPrepared && isNational(kind)) return { bac }
  const [first = 0] = sure
  const part = take(reading, first, first)
  for (const at of sure) reading.used[at] = true
  let number: ReadFacts['number']
  for (const at of sure) number ??= numberAfter(reading, at + 1, NUMBER_MAX[kind])
  number ??= numberBefore(reading, first) ?? markedNumber(reading)
  return { kind: { value: kind, part }, number, bac }
}

/** باك تجريبي names the class as well. */
const isNamedBac = (piece: Piece | undefined): boolean => {
  const kind = said(piece, 'kind')?.value
  if (!kind) return false
  if (BAC_KINDS.has(kind)) return true
  return kind === 'mock' && /^(?:bac|باك|بكالوريا)/.test(piece?.word ?? '')
}

/** Whether a kind's word alone does not prove it, and nothing beside it does. */
function isWeakKind(reading: Reading, at: number): boolean {
  const piece = reading.pieces[at]
  const kind = said(piece, 'kind')
  if (!kind?.isWeak) return false
  const after = following(reading, skipGlue(reading, at + 1))
  if (says(after, 'numberMark') || (after?.number !== null && after !== undefined)) return false
  if (piece?.word === 'con' || kind.value === 'series') return true
  // Beside the year of a baccalauréat it is the session.
  const { pieces } = reading
  if (pieces.some(isYear) && pieces.some((one) => said(one, 'stage')?.value === 'bac')) return true
  return !(says(after, 'subject') || says(after, 'grade') || says(after, 'ordinal'))
}

/** The number behind the name of a test, up to `most` where no sign precedes it. */
function numberAfter(
  reading: Reading,
  start: number,
  most = Number.POSITIVE_INFINITY,
): ReadFacts['number'] {
  const isMarked = says(following(reading, start), 'numberMark')
  const at = isMarked ? start + 1 : start
  // N:1 and n° 2 have their sign before the number.
  const piece = isMarked ? free(reading, at) : following(reading, at)
  if (!piece) return undefined
  const typed = written(reading, piece)
  // `second` behind a test is the degree of its equations.
  const ordinal = ARABIC.test(piece.word) ? said(piece, 'ordinal')?.value : undefined
  const value = isSmall(piece) ? piece.number : (ordinal ?? ROMAN.get(typed))
  if (!value) return undefined
  if (!isMarked && (value > most || isOfClass(reading, at))) return undefined
  if (!isMarked && isOfEither(reading, at)) {
    reading.used[at] = true
    return undefined
  }
  return { value, typed, part: take(reading, isMarked ? start : at, at) }
}

const ARABIC = /^[ء-ي]/

/**
 * Whether a number may be that of a test or that of a class: `DC 3 math` without another class.
 */
function isOfEither(reading: Reading, at: number): boolean {
  const [piece, next] = [reading.pieces[at], following(reading, at + 1)]
  const branch = said(next, 'branch')?.value
  if (reading.isSearch || !piece?.number || isAttached(piece) || !branch) return false
  if (!hasClass(reading, piece.number, '', branch)) return false
  return !reading.pieces.some((_, other) => other > at && mentionAt(reading, other)?.isSure)
}

/** Whether a number is that of a class, to judge by what is behind it. */
function isOfClass(reading: Reading, at: number): boolean {
  if (reading.pieces[at]?.number === null) return isStageOfNumber(following(reading, at + 1))
  if (isOrdinal(reading, at)) return true
  const next = following(reading, at + 1)
  if (isStageOfNumber(next) || says(next, 'yearOfSchool')) return true
  const grade = reading.pieces[at]?.number ?? 0
  if (shortStage(reading, at + 1, grade)) return true
  return isAttached(next) && (says(next, 'branch') || SHORT_BRANCHES.has(next?.word ?? ''))
}

/** Whether a word names the school of a class by its number: `9 أساسي`. */
function isStageOfNumber(piece: Piece | undefined): boolean {
  const stage = said(piece, 'stage')?.value
  return stage !== undefined && stage !== 'bac' && stage !== 'prep'
}

/** `1er devoir de contrôle`. */
function numberBefore(reading: Reading, at: number): ReadFacts['number'] {
  if (isBreak(reading.pieces[at]?.gap ?? '')) return undefined
  const before = free(reading, at - 1)
  const ordinal = said(before, 'ordinal')?.value
  if (ordinal && before) {
    return { value: ordinal, typed: written(reading, before), part: take(reading, at - 1, at - 1) }
  }
  // 3ème devoir may be that of a class.
  const number = free(reading, at - 2)
  if (number?.number !== 1 || before?.word !== 'er') return undefined
  const part = take(reading, at - 2, at - 1)
  return { value: 1, typed: part.text, part }
}

/** A number behind a sign, anywhere. */
function markedNumber(reading: Reading): ReadFacts['number'] {
  for (const [at, piece] of reading.pieces.entries()) {
    if (!reading.used[at] && says(piece, 'numberMark')) {
      const number = numberAfter(reading, at)
      if (number) return number
    }
  }
  return undefined
}

/** The number of a test whose kind is not said. */
function numberOfTest(reading: Reading): ReadFacts['number'] {
  for (const [at, piece] of reading.pieces.entries()) {
    if (reading.used[at] || !says(piece, 'test')) continue
    const number = numberAfter(reading, at + 1, NUMBER_MAX.control)
    if (number) return number
  }
  const isOfTest = reading.pieces.some((piece) => says(piece, 'test') || says(piece, 'kind'))
  return isOfTest ? markedNumber(reading) : undefined
}

/** A synthesis test proves its trimester; a control test only proposes one. */
function trimesterOf(
  kind: Read<string> | undefined,
  number: ReadFacts['number'],
): ReadFacts['trimester'] {
  if (!kind || !number) return undefined
  const { value, part } = number
  if (kind.value === 'synthesis' && value <= TRIMESTERS.length) return { value, sure: true, part }
  if (kind.value === 'control' && value <= 2 * TRIMESTERS.length) {
    return { value: Math.ceil(value / 2), sure: false, part }
  }
  return undefined
}

// Correction.

function correctionIn(reading: Reading): Read<boolean> | undefined {
  const { pieces, isSearch, text } = reading
  for (const [at, piece] of pieces.entries()) {
    if (reading.used[at]) continue
    const isNoun = says(piece, 'correction')
    if (!isNoun && !says(piece, 'corrected')) continue
    const before = free(reading, at - 1)
    if (says(before, 'without')) return { value: false, part: take(reading, at - 1, at) }
    if (says(before, 'with')) return { value: true, part: take(reading, at - 1, at) }
    const isJoined = /[+&]\s*$/.test(piece.gap) || text.charAt(piece.from) === 'و'
    const isSaid =
      isJoined || (says(piece, 'corrected') && isOfDocument(reading, at)) || (isSearch && isNoun)
    if (isSaid) return { value: true, part: take(reading, at, at) }
  }
  return undefined
}

/** Whether `corrigé` says something of the document before it, and is not a correction itself. */
function isOfDocument(reading: Reading, at: number): boolean {
  const piece = reading.pieces[at]
  if (at === 0 || !piece) return false
  const next = reading.pieces[at + 1]
  if (next && isGlue(next.word) && /^d/.test(next.word) && piece.word === 'corrige') return false
  return piece.word !== 'corrige' || !isBreak(piece.gap)
}

// Class and subject.

/** A place at which a class is mentioned, or a part of its name. */
interface Mention {
  readonly grade: number
  readonly stage: string
  readonly branch: string
  readonly code: string
  readonly first: number
  readonly last: number
  /** Whether more than a lone number or ordinal says that it is a class. */
  readonly isSure: boolean
}

/** Letters behind a class's number that name its school: `7B`, `1AS`, `1ère S`. */
const SHORT_STAGES: ReadonlyMap<string, { stage: string; grades: readonly number[] }> = new Map([
  ['as', { stage: 'secondary', grades: [1, 2, 3, 4] }],
  ['s', { stage: 'secondary', grades: [1] }],
  ['ap', { stage: 'primary', grades: [1, 2, 3, 4, 5, 6] }],
  ['b', { stage: 'basic', grades: [7, 8, 9] }],
])
/** Letters behind a class's number that name its section: `4M`. */
const SHORT_BRANCHES: ReadonlyMap<string, string> = new Map([
  ['m', 'math'],
  ['s', 'science'],
  ['t', 'technical'],
  ['l', 'letters'],
  ['e', 'economics'],
  ['i', 'computing'],
  ['si', 'computing'],
  ['ti', 'computing'],
  ['eg', 'economics'],
])
/** The lowest number that is a class without a word that says so. */
const LONE_GRADE_MIN = 5
const GRADE_MAX = 9

function mentionAt(reading: Reading, first: number): Mention | null {
  const piece = free(reading, first)
  if (!piece) return null
  const whole = said(piece, 'class')
  if (whole) {
    const isSure = true
    return { grade: 0, stage: '', branch: '', code: whole.value, first, last: first, isSure }
  }
  let [grade, stage, branch] = [0, '', '']
  let isSure = false
  let at = first + 1
  const numberAt = (place: number): number => {
    const next = place === first ? piece : following(reading, place)
    const isDigit = next && next.number !== null && next.to - next.from === 1
    return isDigit ? (next.number ?? 0) : 0
  }
  /** `7B2` is a group of 7B. */
  const readGroup = () => {
    if (isAttached(following(reading, at)) && numberAt(at) > 0) at++
  }
  /** Reads the number of a class with what belongs to it; answers whether there is one. */
  const readNumber = (place: number): boolean => {
    grade = numberAt(place)
    if (grade === 0) return false
    at = place + 1
    if (isOrdinal(reading, place)) {
      isSure = true
      at++
    }
    const short = shortStage(reading, at, grade)
    if (short) {
      stage = short
      isSure = true
      at++
      readGroup()
    }
    return true
  }

  const prep = said(piece, 'branch')
  const named = said(piece, 'stage')
  if (piece.number !== null) {
    // Of `3 - 4` neither is meant alone.
    const isOfSeveral = free(reading, first - 1)?.number && /^\s?[-–—/&]\s?$/.test(piece.gap)
    if (isOfSeveral || !readNumber(first)) return null
  } else if (says(piece, 'yearOfSchool')) {
    const next = following(reading, at)
    const ordinal = said(next, 'grade')
    if (ordinal) {
      grade = ordinal.value
      at++
    } else if (!readNumber(at)) return null
    isSure = true
  } else if (says(piece, 'grade')) {
    grade = said(piece, 'grade')?.value ?? 0
  } else if (named) {
    isSure = true
    stage = named.value
    if (stage === 'bac') [stage, grade] = ['secondary', 4]
    else if (stage !== 'prep' && numberAt(at) > 0 && !isOrdinal(reading, at)) {
      grade = numberAt(at)
      at++
    }
  } else if (prep && PREP_BRANCHES.has(prep.value)) {
    grade = numberAt(at)
    if (grade === 0) return null
    return { grade, stage: 'prep', branch: prep.value, code: '', first, last: at, isSure: true }
  } else {
    return null
  }

  let isMarked = false
  for (;;) {
    const next = following(reading, at)
    if (stage === 'prep') {
      const part = said(next, 'branch')
      if (!part || !PREP_BRANCHES.has(part.value)) break
      branch = part.value
      at++
      if (numberAt(at) > 0) {
        grade = numberAt(at)
        at++
      }
      break
    }
    const short = shortBranch(reading, at, grade, isSure)
    const part = said(next, 'branch')?.value
    const ofStage = said(next, 'stage')?.value
    const beyond = reading.pieces[skipGlue(reading, at)]
    if (says(next, 'yearOfSchool')) {
      isSure = true
      at++
    } else if (ofStage && ofStage !== 'prep' && (stage === '' || stage === ofStage)) {
      if (ofStage === 'bac') break
      stage = ofStage
      isSure = true
      at++
    } else if (ofStage === 'bac' || ofStage === 'prep') {
      break
    } else if (next && isGlue(next.word) && !short) {
      const goesOn =
        says(beyond, 'stage') || says(beyond, 'section') || says(beyond, 'yearOfSchool')
      const isGoingOn = goesOn && following(reading, skipGlue(reading, at)) !== undefined
      if (!isGoingOn) break
      at = skipGlue(reading, at)
    } else if (says(next, 'section')) {
      isMarked = true
      at++
    } else if (short && hasClass(reading, grade, stage, short)) {
      branch = short
      at++
      readGroup()
      break
    } else if (part && hasClass(reading, grade, stage, part)) {
      branch = part
      at++
      readGroup()
      break
    } else break
  }
  if (isMarked && branch === '') at--
  return { grade, stage, branch, code: '', first, last: at - 1, isSure: isSure || branch !== '' }
}

const PREP_BRANCHES: ReadonlySet<string> = new Set(['mp', 'pc', 'pt', 'bg'])

/** The school that letters behind a class's number name: attached to it, or a word of their own. */
function shortStage(reading: Reading, at: number, grade: number): string | undefined {
  const piece = following(reading, at)
  const short = SHORT_STAGES.get(piece?.word ?? '')
  return short?.grades.includes(grade) ? short.stage : undefined
}

/** The section that letters behind a class's number name: attached to it, or behind an ordinal. */
function shortBranch(
  reading: Reading,
  at: number,
  grade: number,
  isSure: boolean,
): string | undefined {
  const piece = following(reading, at)
  if (!piece || grade === 0) return undefined
  // M. is a name's title.
  if (reading.pieces[at + 1]?.gap.startsWith('.')) return undefined
  const isCapital = /^\p{Lu}/u.test(written(reading, piece))
  return isAttached(piece) || (isSure && isCapital) ? SHORT_BRANCHES.get(piece.word) : undefined
}

const hasClass = (
  { vocabulary: { classes } }: Reading,
  grade: number,
  stage: string,
  branch: string,
): boolean =>
  classes.some(
    (one) => one.grade === grade && one.branch === branch && (stage === '' || one.stage === stage),
  )

interface ClassAndSubject {
  readonly schoolClass?: Read<SchoolClass> | undefined
  readonly subjectCode?: Read<string> | undefined
  /** The grade of the class, also where the class is not known. */
  readonly grade: number
}

/**
 * The class and the subject, each of which may tell what the other means: physics of the first year
 * is that of secondary schools, and the science of the ninth is biology.
 */
function classAndSubjectIn(reading: Reading, { bac }: Test): ClassAndSubject {
  const { isSearch } = reading
  const mentions = mentionsIn(reading)
  const grade = onlyOf(mentions.map((one) => one.grade).filter((one) => one > 0))
  const stage = onlyOf(mentions.map((one) => one.stage).filter((one) => one !== ''))
  const codes = new Set(mentions.map(({ code }) => code).filter((code) => code !== ''))
  if (grade === null || stage === null || codes.size > 1) {
    return { subjectCode: subjectIn(reading, []), grade: 0 }
  }
  const { classes } = reading.vocabulary
  const isBac = bac !== undefined && (grade === undefined || grade === 4)
  const wanted = {
    grade: grade ?? (isBac ? 4 : 0),
    stage: stage ?? (isBac ? 'secondary' : ''),
  }
  const branches = new Set(mentions.map(({ branch }) => branch).filter((branch) => branch !== ''))
  const inSection = branches.size === 0 ? sectionIn(reading, wanted) : undefined
  const branch = onlyOf([...branches]) ?? inSection?.value ?? ''
  const [code] = codes
  const isKnown = wanted.grade > 0 || code !== undefined
  const possible = isKnown
    ? classes.filter((one) =>
        code !== undefined
          ? one.code === code
          : one.grade === wanted.grade &&
            (wanted.stage === '' ? one.stage !== 'prep' : one.stage === wanted.stage) &&
            (branch === '' || one.branch === branch),
      )
    : []
  const subjectCode = subjectIn(reading, possible)
  const found = branches.size > 1 ? null : classAmong(possible, subjectCode?.value)
  const parts = [...partsOfMentions(reading, mentions), ...(inSection ? partsOf(inSection) : [])]
  const [part = isSearch ? undefined : bac, ...others] = parts
  // The words of a class that is not known say something to a search.
  if (!found && isSearch) {
    for (const { first, last } of mentions) reading.used.fill(false, first, last + 1)
  }
  return {
    ...(found && part && { schoolClass: readFrom(found, part, others) }),
    subjectCode,
    grade: wanted.grade,
  }
}

/** The one value of several; undefined if there is none, null if they contradict each other. */
function onlyOf<Value>(values: readonly Value[]): Value | undefined | null {
  const [first] = values
  return values.every((value) => value === first) ? first : null
}

const readFrom = <Value>(value: Value, part: Part, others: readonly Part[]): Read<Value> => ({
  ...{ value, part },
  ...(others.length > 0 && { others }),
})

/** The parts of mentions, that which says most first. */
const partsOfMentions = (reading: Reading, mentions: readonly Mention[]): Part[] =>
  mentions
    .toSorted((one, other) => weight(other) - weight(one))
    .map(({ first, last }) => take(reading, first, last))

const weight = ({ grade, stage, branch }: Mention): number =>
  (grade > 0 ? 4 : 0) + (branch === '' ? 0 : 2) + (stage === '' ? 0 : 1)

function mentionsIn(reading: Reading): Mention[] {
  const all: Mention[] = []
  for (let at = 0; at < reading.pieces.length; at++) {
    const mention = mentionAt(reading, at)
    if (!mention || !isMention(reading, mention)) continue
    all.push(mention)
    at = mention.last
  }
  const sure = all.filter(({ isSure }) => isSure)
  const grades = new Set(sure.map(({ grade }) => grade).filter((grade) => grade > 0))
  const kept = grades.size > 0 ? sure : all
  for (const { first, last } of kept) take(reading, first, last)
  return kept
}

/** Whether a number or ordinal is that of a class. */
function isMention(reading: Reading, { grade, isSure, first, last }: Mention): boolean {
  if (isSure) return true
  if (grade < LONE_GRADE_MIN || grade > GRADE_MAX) return false
  const { pieces } = reading
  if (pieces[first]?.number === null || reading.isSearch) return true
  const next = following(reading, last + 1)
  if (says(next, 'subject')) return true
  // Physique : 8 exercices
  const isCount = next !== undefined && (next.meanings.length === 0 || says(next, 'counted'))
  return says(free(reading, first - 1), 'subject') && !isBreak(pieces[first]?.gap ?? '') && !isCount
}

/** The section of the class, where it is apart from its year. */
function sectionIn(
  reading: Reading,
  { grade, stage }: { grade: number; stage: string },
): Read<string> | undefined {
  const { pieces } = reading
  if (grade < 1 || grade > 4) return undefined
  const fits = (at: number) => {
    const branch = said(free(reading, at), 'branch')?.value
    return branch !== undefined && hasClass(reading, grade, stage, branch) ? branch : null
  }
  const places = [...pieces.keys()].filter((at) => fits(at) !== null)
  /** The place of the word that says that it is a section, or its own. */
  const beginOf = (at: number) => {
    let before = at - 1
    while (isGlue(pieces[before]?.word ?? '')) before--
    return says(pieces[before], 'section') ? before : at
  }
  const isPure = (at: number) => !says(pieces[at], 'subject')
  /** Whether its class has the subject of another word: `math eco` is the mathematics of the section of economics. */
  const isBesideSubject = (at: number) => {
    const { classes } = reading.vocabulary
    const own = classes.find((one) => one.grade === grade && one.branch === fits(at))
    return [...pieces.keys()].some(
      (other) =>
        other !== at &&
        says(free(reading, other), 'subject') &&
        codesOf(reading, other, []).some((code) => own && teaches(own, code)),
    )
  }
  const marked = places.filter((at) => beginOf(at) < at)
  const pure = places.filter(isPure)
  const chosen = [marked, pure].find((some) => some.length > 0) ?? places.filter(isBesideSubject)
  const branch = onlyOf(chosen.map((at) => fits(at)))
  if (!branch) return undefined
  const [part, ...others] = chosen.map((at) => take(reading, beginOf(at), at))
  return part && readFrom(branch, part, others)
}

/** The only class that teaches the subject. */
function classAmong(possible: readonly SchoolClass[], subject?: string): SchoolClass | null {
  const teaching = possible.filter((one) => subject === undefined || teaches(one, subject))
  const left = teaching.length > 0 ? teaching : possible
  // A year without a section is meant where none is said.
  const plain = left.filter(
    (one) =>
      one.branch === '' ||
      !left.some(
        (other) => other.branch === '' && other.stage === one.stage && other.grade === one.grade,
      ),
  )
  return plain.length === 1 ? (plain[0] ?? null) : null
}

const teaches = ({ subjects }: SchoolClass, subject: string): boolean =>
  subjects.length === 0 || subjects.includes(subject)

/** The subject of which all words speak that name one. */
function subjectIn(reading: Reading, classes: readonly SchoolClass[]): Read<string> | undefined {
  const places = [...reading.pieces.keys()].filter((at) => says(free(reading, at), 'subject'))
  const isWeak = (at: number) =>
    said(reading.pieces[at], 'subject')?.isWeak === true || isLanguageOf(reading, at)
  const sure = places.filter((at) => !isWeak(at))
  // A search for a branch of a subject is for its words.
  const chosen = sure.length > 0 || reading.isSearch ? sure : places
  const meant = chosen.map((at) => codesOf(reading, at, classes))
  const known = meant.filter((codes) => codes.length === 1)
  const code = onlyOf(known.flat())
  if (!code || known.length === 0) return undefined
  const first = chosen[meant.findIndex((codes) => codes.length === 1)] as number
  const others = chosen.filter((at, each) => at !== first && meant[each]?.includes(code))
  const partAt = (at: number) => take(reading, at, at)
  return readFrom(code, partAt(first), others.map(partAt))
}

/** Whether a word names the language of a document: physics in French, فيزياء بالعربية. */
function isLanguageOf({ text, pieces }: Reading, at: number): boolean {
  return text.startsWith('بال', pieces[at]?.from) || pieces[at - 1]?.word === 'en'
}

/** The subjects that a piece may mean, in these classes. */
function codesOf(reading: Reading, at: number, classes: readonly SchoolClass[]): string[] {
  const codes = (reading.pieces[at]?.meanings ?? []).flatMap((meaning) =>
    meaning.says === 'subject' ? [meaning.value] : [],
  )
  const taught = codes.filter((code) => classes.some((one) => teaches(one, code)))
  return taught.length > 0 ? taught : codes
}

/** The national examination of a contest: that of the sixth, or of the ninth. */
function contestIn(
  reading: Reading,
  schoolClass: SchoolClass | undefined,
  grade: number,
): Read<string> | undefined {
  if (reading.pieces.some((piece) => says(piece, 'preparing')) && !reading.isSearch)
    return undefined
  const at = reading.pieces.findIndex((piece) => says(piece, 'contest'))
  if (at < 0 || reading.used[at]) return undefined
  const kind =
    grade === 6 || schoolClass?.code === CLASS_OF.concours6
      ? 'concours6'
      : grade === 9 || schoolClass?.code === CLASS_OF.concours9
        ? 'concours9'
        : null
  return kind ? { value: kind, part: take(reading, at, at) } : undefined
}

const CLASS_OF: Readonly<Partial<Record<string, string>>> = {
  concours6: 'primary-6',
  concours9: 'basic-9',
}

/** The class whose examination this is; a search for it names the examination alone. */
function classOfExamination(
  { vocabulary: { classes }, isSearch }: Reading,
  kind: Read<string> | undefined,
): Read<string> | undefined {
  const code = kind && !isSearch ? CLASS_OF[kind.value] : undefined
  const isListed = classes.some((one) => one.code === code)
  return kind && code !== undefined && isListed ? { value: code, part: kind.part } : undefined
}

// What is left of a search.

/** The words from which nothing was read, without glue beside those that were understood. */
function leftOver(reading: Reading): string {
  const { text, pieces, used } = reading
  const stretches: string[] = []
  for (let at = 0; at < pieces.length; at++) {
    if (used[at]) continue
    let [first, last] = [at, at]
    while (last + 1 < pieces.length && !used[last + 1]) last++
    at = last
    const isLoose = (place: number) =>
      isGlue(pieces[place]?.word ?? '') || says(pieces[place], 'with')
    if (first > 0) while (first <= last && isLoose(first)) first++
    if (last + 1 < pieces.length) while (last >= first && isLoose(last)) last--
    if (first > last) continue
    stretches.push(text.slice(pieces[first]?.from, pieces[last]?.to))
  }
  return stretches.join(' ').trim()
}
