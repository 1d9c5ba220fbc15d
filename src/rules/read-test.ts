import { isNational, TRIMESTERS } from './papers.ts'
import { hasClass, mentionAt, SHORT_BRANCHES, shortStage } from './read-class.ts'
import {
  following,
  free,
  isAttached,
  isOrdinal,
  isSmall,
  isYear,
  type Part,
  type Read,
  type ReadFacts,
  type Reading,
  ROMAN,
  said,
  says,
  skipGlue,
  take,
  written,
} from './read-words.ts'
import { isBreak, isGlue, type Piece } from './school-words.ts'

// The kind of a test, its number, and whether it has its correction.

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

export function testIn(reading: Reading): Test {
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
export function trimesterOf(
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

export function correctionIn(reading: Reading): Read<boolean> | undefined {
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
