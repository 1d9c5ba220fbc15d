import {
  following,
  free,
  isAttached,
  isOrdinal,
  type Part,
  partsOf,
  type Read,
  type Reading,
  readFrom,
  said,
  says,
  skipGlue,
  take,
  written,
} from './read-words.ts'
import { isBreak, isGlue, type SchoolClass } from './school-words.ts'

// The class and the subject of a title or a search.

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
export const SHORT_BRANCHES: ReadonlyMap<string, string> = new Map([
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

export function mentionAt(reading: Reading, first: number): Mention | null {
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
export function shortStage(reading: Reading, at: number, grade: number): string | undefined {
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

export const hasClass = (
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
export function classAndSubjectIn(reading: Reading, bac: Part | undefined): ClassAndSubject {
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
export function contestIn(
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
export function classOfExamination(
  { vocabulary: { classes }, isSearch }: Reading,
  kind: Read<string> | undefined,
): Read<string> | undefined {
  const code = kind && !isSearch ? CLASS_OF[kind.value] : undefined
  const isListed = classes.some((one) => one.code === code)
  return kind && code !== undefined && isListed ? { value: code, part: kind.part } : undefined
}
