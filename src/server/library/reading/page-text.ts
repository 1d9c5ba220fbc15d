import type { PDFiumPage } from '@hyzyla/pdfium'
import { withoutForms } from '../../../rules/pasted-text.ts'
import { functionsOf, handleOfPage, type Pdfium, withMemory } from '../safety/pdfium.ts'
import { type Character, type Sight, sightsOf } from './visible-text.ts'

/** Whether a text contains anything that a search could find. */
export const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/** How many characters of a page are read; a printed page has a tenth of this. */
const CHARACTERS_MAX = 20_000

interface Letter extends Character {
  /** The origin of the glyph, the same for all characters that one glyph represents. */
  readonly origin: string
  readonly baseline: number
}

/** A piece of a line that PDFium reads as a separate line. */
interface Piece {
  readonly letters: readonly Letter[]
  readonly isOfMarks: boolean
  readonly left: number
  readonly right: number
  readonly bottom: number
  readonly top: number
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
const MARK = /^\p{M}/u

/** The letters of every ligature that Unicode has a character for (ﷲ, ﻻ, ﳊ), in order of writing. */
const LIGATURES = new Set(
  [
    [0xfbea, 0xfdfc],
    [0xfef5, 0xfefc],
  ].flatMap(([first = 0, last = 0]) =>
    Array.from({ length: last - first + 1 }, (_, at) =>
      withoutForms(String.fromCharCode(first + at)),
    ),
  ),
)

/** How many pieces a row has at most; a printed line has a few. Further ones begin a new row. */
const ROW_PIECES_MAX = 200

/** How many rows are tried, the last one that has letters and vowels after it. */
const ROWS_TRIED = 10

/** How many vowels are looked beyond. */
const MARKS_MAX = 4

/** PDFium's sign for a word that is hyphenated at the end of a line. */
const DIVIDED = '\u0002'

/** The smallest gap between two pieces of a line, in heights of the line, that separates words. */
const WORD_GAP = 0.15

/** The text of a page in reading order, a line break after each line; '' if it has none. */
export interface PageText {
  /** What the page shows as text. */
  readonly shown: string
  /** This and what a program has recognised in its pictures, for the searches of its readers. */
  readonly found: string
}

/** The text that a page shows, and what may be found on it; draws the page and closes it. */
export function visibleTextOf(page: PDFiumPage): PageText {
  const pdfium = functionsOf(page)
  const lines = linesOf(pdfium, handleOfPage(page))
  const characters = lines.flat().filter(({ character }) => character.trim() !== '')
  const sights = sightsOf(page, characters)
  pdfium._FPDF_ClosePage(handleOfPage(page))
  const sightOf = new Map(characters.map((letter, at) => [letter, sights[at]]))
  const textWith = (...wanted: readonly Sight[]) =>
    written(
      lines.map((line) =>
        line.filter((letter) => {
          const sight = sightOf.get(letter)
          return sight === undefined || wanted.includes(sight)
        }),
      ),
    )
  const shown = textWith('shown')
  const isAll = sights.every((sight) => sight === 'shown')
  return { shown, found: isAll ? shown : textWith('shown', 'scanned', 'unknown') }
}

export type PdfiumText = Pick<
  Pdfium,
  'HEAPU8' | 'wasmExports' | (`_FPDFText_${string}` & keyof Pdfium)
>

/** The text of a page, whether it is shown or not. */
export const textOfPage = (pdfium: PdfiumText, page: number): string =>
  written(linesOf(pdfium, page))

/**
 * PDFium reads lines from right to left if they contain Arabic, but reverses the characters of one
 * glyph (a lam with its alef, a letter with its vowel) if the font gives them one by one, and reads
 * raised marks as separate lines.
 */
function written(lines: readonly Letter[][]): string {
  const seen = lines.filter((line) => line.some(({ character }) => character.trim() !== ''))
  const glyphs = seen.map(withoutGuesses).map(byGlyph)
  const isOrdered = areLigaturesOrdered(glyphs.flat())
  const rows = inRows(glyphs.map((line) => pieceOf(line, isOrdered)))
  // Cut afterwards, since one presentation form may stand for many letters.
  return plain(rows.map(inOrder).join('\n')).slice(0, CHARACTERS_MAX)
}

/** The lines of a page as PDFium reads them. */
function linesOf(pdfium: PdfiumText, page: number): Letter[][] {
  const text = pdfium._FPDFText_LoadPage(page)
  if (!text) return []
  const count = Math.min(pdfium._FPDFText_CountChars(text), CHARACTERS_MAX)
  const lines = withMemory(pdfium, 4 * Float64Array.BYTES_PER_ELEMENT, (room) => {
    const at = (index: number) => room + index * Float64Array.BYTES_PER_ELEMENT
    const number = (index: number) => new DataView(pdfium.HEAPU8.buffer).getFloat64(at(index), true)
    const lines: Letter[][] = [[]]
    for (let index = 0; index < count; index++) {
      const character = String.fromCodePoint(pdfium._FPDFText_GetUnicode(text, index))
      if (character === '\n') lines.push([])
      if (character === '\n' || character === '\r') continue
      pdfium._FPDFText_GetCharOrigin(text, index, at(0), at(1))
      const origin = `${number(0)} ${number(1)}`
      const baseline = number(1)
      const object = pdfium._FPDFText_GetTextObject(text, index)
      pdfium._FPDFText_GetCharBox(text, index, at(0), at(1), at(2), at(3))
      const [left, right, bottom, top] = [number(0), number(1), number(2), number(3)]
      lines.at(-1)?.push({ character, object, left, right, bottom, top, origin, baseline })
    }
    return lines
  })
  pdfium._FPDFText_ClosePage(text)
  return lines
}

/**
 * A line without the spaces that PDFium guesses between letters because one of them is raised, or
 * because a vowel is drawn between them. A space that was drawn has a width.
 */
function withoutGuesses(line: readonly Letter[]): Letter[] {
  const height = -least([0, ...line.map(({ top, bottom }) => bottom - top)])
  const isMark = (at: number) => MARK.test(line[at]?.character ?? '')
  const isAlone = (at: number) =>
    [line[at - 1], line[at + 1]].every(
      (other) => other?.origin !== line[at]?.origin || other?.character === ' ',
    )
  /** The next letter in a direction, beyond the vowels that are drawn for themselves. */
  const letterFrom = (at: number, step: 1 | -1) => {
    let to = at + step
    while (Math.abs(to - at) < MARKS_MAX && isMark(to) && isAlone(to)) to += step
    const letter = line[to]
    // The box of a letter that has its vowel in one glyph is the vowel's.
    return letter && isAlone(to) && RIGHT_TO_LEFT.test(letter.character) ? letter : null
  }
  return line.filter(({ character, left, right }, at) => {
    if (character !== ' ' || left !== right) return true
    const [before, after] = [letterFrom(at, -1), letterFrom(at, 1)]
    if (!before || !after) return true
    const isByMark = isMark(at - 1) || isMark(at + 1)
    if (!isByMark && before.baseline === after.baseline) return true
    return before.left - after.right > WORD_GAP * height
  })
}

function pieceOf(line: readonly Letter[][], isOrdered: boolean): Piece {
  const read = line.flat()
  const seen = read.filter(({ character }) => character.trim() !== '')
  const measured = seen.length > 0 ? seen : read
  return {
    letters: line.flatMap((glyph) => asWritten(glyph, isOrdered)),
    isOfMarks: seen.every(({ character }) => MARK.test(character)),
    left: least(measured.map(({ left }) => left)),
    right: -least(measured.map(({ right }) => -right)),
    bottom: least(measured.map(({ bottom }) => bottom)),
    top: -least(measured.map(({ top }) => -top)),
  }
}

// A call with a list of arguments as long as a page may overflow the stack.
const least = (numbers: readonly number[]): number =>
  numbers.reduce((one, other) => Math.min(one, other))

function byGlyph(line: readonly Letter[]): Letter[][] {
  const groups: Letter[][] = []
  for (const letter of line) {
    const last = groups.at(-1)
    if (last?.[0]?.origin === letter.origin) last.push(letter)
    else groups.push([letter])
  }
  return groups
}

/**
 * The characters of a glyph in the order of writing. PDFium reverses those that a font gives one by
 * one, but leaves in order what it takes from a ligature's own character (ﷲ). It does not say which
 * it did: where the letters are a ligature both ways (جح and حج), `isOrdered` decides.
 */
function asWritten(glyph: readonly Letter[], isOrdered: boolean): readonly Letter[] {
  const isTurned =
    glyph.length > 1 &&
    glyph.every(({ character }) => RIGHT_TO_LEFT.test(character) || MARK.test(character)) &&
    !(isLigature(glyph) && (isOrdered || !isLigature(glyph.toReversed())))
  return isTurned ? glyph.toReversed() : glyph
}

const charactersOf = (glyph: readonly Letter[]): string =>
  glyph.map(({ character }) => character).join('')

const isLigature = (glyph: readonly Letter[]): boolean => LIGATURES.has(charactersOf(glyph))

/** Whether most ligatures of a page that are so in one order only are in the order of writing. */
function areLigaturesOrdered(glyphs: readonly Letter[][]): boolean {
  const several = glyphs.filter((glyph) => glyph.length > 1)
  const certain = several.map((glyph) => [isLigature(glyph), isLigature(glyph.toReversed())])
  const ordered = certain.filter(([asIs, turned]) => asIs && !turned).length
  const reversed = certain.filter(([asIs, turned]) => turned && !asIs).length
  return ordered > reversed
}

/**
 * Joins consecutive pieces that are side by side into rows. A vowel far above or below its letters
 * interrupts their line, which goes on after it; if it belongs to no line, it is left out.
 */
function inRows(pieces: readonly Piece[]): Piece[][] {
  const rows: Piece[][] = []
  let lettered = -1
  for (const piece of pieces) {
    const from = Math.max(lettered, rows.length - ROWS_TRIED, 0)
    const found = rows
      .slice(from)
      .findLastIndex(
        (row) => row.length < ROW_PIECES_MAX && row.some((other) => areBeside(other, piece)),
      )
    const at = found < 0 ? rows.length : from + found
    if (found < 0) rows.push([piece])
    else rows[at]?.push(piece)
    if (!piece.isOfMarks) lettered = Math.max(lettered, at)
  }
  return rows.filter((row) => !row.every(({ isOfMarks }) => isOfMarks))
}

function areBeside(one: Piece, other: Piece): boolean {
  const shared = Math.min(one.top, other.top) - Math.max(one.bottom, other.bottom)
  const lower = Math.min(one.top - one.bottom, other.top - other.bottom)
  const common = Math.min(one.right, other.right) - Math.max(one.left, other.left)
  const narrower = Math.min(one.right - one.left, other.right - other.left)
  return common <= narrower / 2 && shared > lower / 2
}

function inOrder(row: readonly Piece[]): string {
  const [first] = row
  if (first && row.length === 1) return textOfPiece(first)
  const all = row.map(textOfPiece).join('')
  const arabic = [...all].filter((character) => RIGHT_TO_LEFT.test(character)).length
  const isRtl = arabic > all.replace(/\P{L}/gu, '').length / 2
  const sorted = row.toSorted((a, b) => (isRtl ? b.right - a.right : a.left - b.left))
  const height = Math.max(...row.map(({ top, bottom }) => top - bottom))
  return sorted.reduce((text, piece, at) => {
    const before = sorted[at - 1]
    if (!before) return textOfPiece(piece)
    const gap = isRtl ? before.left - piece.right : piece.left - before.right
    // For a letter with its mark, PDFium gives only the place of the mark.
    const most =
      piece.letters.length > 1 && MARK.test(piece.letters[1]?.character ?? '') ? 1 : WORD_GAP
    return `${text}${gap > most * height ? ' ' : ''}${textOfPiece(piece)}`
  }, '')
}

const textOfPiece = ({ letters }: Piece): string => charactersOf(letters)

function plain(text: string): string {
  return (
    withoutForms(text)
      .replaceAll(`${DIVIDED}\n`, '')
      // Some fonts draw the ligature without its alef, and the alef as a letter of its own.
      .replaceAll('االله', 'الله')
      .replace(/\t/g, ' ')
      .replace(/[^\P{C}\n\u200c\u200d]+/gu, '')
      .replace(/ {2,}/g, ' ')
      .replace(/ ?\n[ \n]*/g, '\n')
      .trim()
  )
}
