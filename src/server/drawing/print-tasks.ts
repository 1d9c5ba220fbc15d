import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import bidiFactory from 'bidi-js'
import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import { charactersOf } from './characters.ts'
import type { Sheet } from './sheet.ts'

// In a child process, since names and titles are strangers' texts, and the libraries are large.

const bidi = bidiFactory()

const fontFile = (font: string): string => join(import.meta.dirname, `fonts/readex-${font}.ttf`)

type Script = 'arabic' | 'latin'
type Weight = 'regular' | 'bold'
type Direction = 'ltr' | 'rtl'

/** A part of a line that is written with one font in one direction. */
interface Run {
  readonly font: Script
  readonly isMirrored: boolean
  text: string
}

interface Look {
  readonly size?: number
  readonly weight?: Weight
  readonly color?: string
}

/** Where a line of text or an amount begins or ends, from the side where lines begin. */
interface Place extends Look {
  readonly x: number
  /** Whether it ends at `x`. */
  readonly end?: boolean
}

/** In points. */
const PAGE = { width: 595, height: 842, margin: 48 }
const INNER = PAGE.width - 2 * PAGE.margin
const END = PAGE.width - PAGE.margin
/** The line on which the foot of each page is written. */
const FOOT = PAGE.height - 36
const BOTTOM = FOOT - 16
const LOGO = { width: 180, height: 44 }
/** Pixels of a logo for each point: sharp when it is printed. */
const LOGO_SCALE = 3
const AMOUNT_WIDTH = 110
const LINE = 1.5
const INK = '#1b2440'
const SOFT = '#5b6275'
const RULE = '#d9dce5'
const BAND = 0.07

const ARABIC = /\p{Script_Extensions=Arabic}/u

/** Prints a sheet on A4; the same sheet always gives the same bytes. */
export async function printSheet(sheet: Sheet): Promise<Uint8Array> {
  const isRtl = sheet.locale === 'ar'
  const { accent } = sheet.mark
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    lang: sheet.locale,
    bufferPages: true,
    // The identifier of the file is made of these.
    info: { Title: plainText(sheet.title), CreationDate: new Date(sheet.at) },
  })
  for (const font of ['arabic-regular', 'arabic-bold', 'latin-regular', 'latin-bold']) {
    document.registerFont(font, fontFile(font))
  }
  const bytes = buffer(document)
  let y = PAGE.margin

  const fontOf = (run: Run, { size = 10, weight = 'regular' }: Look) =>
    document.font(`${run.font}-${weight}`).fontSize(size)
  // Without features, the library would lay out each word alone, from left to right.
  const WHOLE = { features: ['kern' as const] }
  const widthOf = (runs: readonly Run[], look: Look) =>
    runs.reduce((sum, run) => sum + fontOf(run, look).widthOfString(run.text, WHOLE), 0)

  /** Writes one line, in the direction of its paragraph. */
  function writeLine(
    text: string,
    direction: Direction,
    { x, end = false, color = INK, ...look }: Place,
  ) {
    const runs = runsOf(text, direction)
    const width = widthOf(runs, look)
    const from = end ? x - width : x
    let at = isRtl ? PAGE.width - from - width : from
    for (const run of runs) {
      fontOf(run, look)
        .fillColor(color)
        .text(run.text, at, y, { ...WHOLE, lineBreak: false })
      at += document.widthOfString(run.text, WHOLE)
    }
  }

  const own: Direction = isRtl ? 'rtl' : 'ltr'
  /** A line of the document itself. */
  const say = (text: string, place: Place) => writeLine(plainText(text), own, place)

  /** A text as lines of at most `width` points. */
  function linesOf(text: string, direction: Direction, width: number, look: Look) {
    const fits = (line: string) => widthOf(runsOf(line, direction), look) <= width
    const lines = ['']
    for (const word of text.split(' ')) {
      const longer = `${lines.at(-1)} ${word}`.trim()
      if (fits(longer)) lines[lines.length - 1] = longer
      else lines.push(...(fits(word) ? [word] : partsOf(word, fits)))
    }
    return lines.filter((line) => line !== '')
  }

  /**
   * Writes a text in one direction, which its first letter decides, since people write in any
   * language; all its lines begin where those of the document do.
   */
  function paragraph(given: string, x: number, width: number, look: Look = {}) {
    const text = plainText(given)
    const direction = directionOf(text)
    for (const line of linesOf(text, direction, width, look)) {
      room(16)
      writeLine(line, direction, { x, ...look })
      y += (look.size ?? 10) * LINE
    }
  }

  // Amounts are under each other by their decimal marks, since the font's digits have different
  // widths: what follows the mark begins where the widest of them does.
  const amounts = [...sheet.rows, ...sheet.sums].map(([, amount]) => splitAmount(amount))
  const widest = (part: 0 | 1) =>
    Math.max(
      ...amounts.map((each) => widthOf(runsOf(each[part], 'ltr'), { size: 12, weight: 'bold' })),
    )
  const markAt = isRtl ? PAGE.margin + widest(0) : END - widest(1)
  const labelsEnd = END - widest(0) - widest(1) - 24

  function writeAmount(amount: string, look: Look = {}) {
    const [whole, rest] = splitAmount(amount)
    const font = { font: 'latin', isMirrored: false } as const
    for (const [text, at] of [
      [whole, markAt - widthOf([{ ...font, text: whole }], look)],
      [rest, markAt],
    ] as const) {
      fontOf({ ...font, text }, look)
        .fillColor(look.color ?? INK)
        .text(text, at, y, { ...WHOLE, lineBreak: false })
    }
  }

  function room(height: number) {
    if (y + height <= BOTTOM) return
    document.addPage()
    y = PAGE.margin
  }

  function rule(color = RULE, thickness = 0.7) {
    document.moveTo(PAGE.margin, y).lineTo(END, y).lineWidth(thickness).stroke(color)
  }

  // The head: whose it is, and what.
  await drawMark()
  y = PAGE.margin + 12
  say(sheet.title, { x: END, end: true, size: 18, weight: 'bold' })
  y = PAGE.margin + LOGO.height + 12
  rule(accent, 2)
  y += 16

  async function drawMark() {
    const { name, logo } = sheet.mark
    if (!logo) {
      y = PAGE.margin + 8
      say(name, { x: PAGE.margin, size: 22, weight: 'bold', color: accent })
      return
    }
    // Flat and of few colours, so that it takes few bytes.
    const { data, info } = await sharp(logo)
      .resize({
        width: LOGO.width * LOGO_SCALE,
        height: LOGO.height * LOGO_SCALE,
        fit: 'inside',
      })
      .flatten({ background: '#ffffff' })
      .png({ palette: true, colours: 64 })
      .toBuffer({ resolveWithObject: true })
    const width = info.width / LOGO_SCALE
    const x = isRtl ? END - width : PAGE.margin
    document.image(data, x, PAGE.margin, { width })
  }

  const top = y
  for (const [at, [label, value]] of sheet.facts.entries()) {
    const x = PAGE.margin + at * (INNER / 3)
    y = top
    say(label, { x, size: 8.5, color: SOFT })
    y += 14
    say(value, { x, size: 11 })
  }
  y = top + 46

  const half = INNER / 2 - 12
  const partiesAt = y
  let bottom = y
  for (const [at, { label, lines }] of sheet.parties.entries()) {
    const x = PAGE.margin + at * (half + 24)
    y = partiesAt
    say(label, { x, size: 8.5, color: accent, weight: 'bold' })
    y += 15
    for (const [number, line] of lines.entries()) {
      if (number === 0) paragraph(line, x, half, { weight: 'bold', size: 11 })
      else paragraph(line, x, half, { color: SOFT })
    }
    bottom = Math.max(bottom, y)
  }
  y = bottom + 22

  const [what, amount] = sheet.columns
  say(what, { x: PAGE.margin, size: 8.5, color: SOFT })
  say(amount, { x: END, end: true, size: 8.5, color: SOFT })
  y += 16
  rule(accent, 1)
  for (const [title, price] of sheet.rows) {
    y += 8
    room(32)
    writeAmount(price)
    paragraph(title, PAGE.margin, INNER - AMOUNT_WIDTH)
    y += 5
    rule()
  }
  y += 10
  room(22 * sheet.sums.length + 14)
  for (const [at, [label, sum]] of sheet.sums.entries()) {
    const isTotal = at === sheet.sums.length - 1
    const look: Look = isTotal ? { weight: 'bold', size: 12, color: accent } : { color: INK }
    if (isTotal) {
      y += 9
      document
        .roundedRect(PAGE.margin - 10, y - 7, INNER + 20, 30, 4)
        .fillOpacity(BAND)
        .fill(accent)
        .fillOpacity(1)
    }
    say(label, { x: isTotal ? PAGE.margin : labelsEnd, end: !isTotal, ...look })
    writeAmount(sum, look)
    y += isTotal ? 26 : 19
  }
  y += 16
  for (const note of sheet.notes) paragraph(note, PAGE.margin, INNER, { size: 9, color: SOFT })

  const { count } = document.bufferedPageRange()
  for (let page = 0; count > 1 && page < count; page++) {
    document.switchToPage(page)
    y = FOOT
    say(sheet.title, { x: PAGE.margin, size: 8.5, color: SOFT })
    say(`\u2066${page + 1} / ${count}\u2069`, { x: END, end: true, size: 8.5, color: SOFT })
  }
  document.end()
  return bytes
}

/** An amount before its decimal mark, and from there on. */
function splitAmount(amount: string): readonly [whole: string, rest: string] {
  const mark = amount.search(/[.,]\d+$/)
  return [amount.slice(0, mark), amount.slice(mark)]
}

/** The direction of a text by its first letter; one without letters is a number. */
function directionOf(text: string): Direction {
  const [letter = ''] = /\p{L}/u.exec(text) ?? []
  return ARABIC.test(letter) ? 'rtl' : 'ltr'
}

/** A word that is wider than its line, in parts that fit. */
function partsOf(word: string, fits: (part: string) => boolean): string[] {
  const letters = Array.from(GRAPHEMES.segment(word), ({ segment }) => segment)
  const parts: string[] = []
  while (letters.length > 0) {
    // Halved until it is found, since each width costs time.
    let [least, most] = [1, letters.length]
    while (least < most) {
      const middle = Math.ceil((least + most) / 2)
      if (fits(letters.slice(0, middle).join(''))) least = middle
      else most = middle - 1
    }
    parts.push(letters.splice(0, least).join(''))
  }
  return parts
}

const GRAPHEMES = new Intl.Segmenter()

const HAS: Readonly<Record<Script, ReadonlySet<number>>> = {
  arabic: charactersOf(readFileSync(fontFile('arabic-regular'))),
  latin: charactersOf(readFileSync(fontFile('latin-regular'))),
}
const isDrawn = (text: string): boolean =>
  [...text].every((sign) => {
    const point = sign.codePointAt(0) ?? 0
    return UNSEEN.test(sign) || HAS.arabic.has(point) || HAS.latin.has(point)
  })
/** Marks of direction, which `runsOf` follows and does not write. */
const UNSEEN = /\p{Bidi_Control}/u
/** Those of mathematics that titles have, which no font of the shop draws. */
const SIGNS: Readonly<Record<string, string>> = {
  '≤': '<=',
  '≥': '>=',
  '≈': '~',
  '→': '->',
  '⇒': '=>',
}
const GREEK =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau upsilon phi chi psi omega'.split(
    ' ',
  )
const FIRST_GREEK = 'α'.charCodeAt(0)

/** The name of a Greek letter, which has a capital for a capital letter. */
function greekName(letter: string): string | undefined {
  const small = letter.toLowerCase()
  const name = GREEK[small.charCodeAt(0) - FIRST_GREEK]
  return small === letter ? name : name && name.charAt(0).toUpperCase() + name.slice(1)
}

const PICTURES = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{RI}|\u20e3/u
const NONE = '?'

/**
 * A text of letters that the fonts have. Others are written in their plain form (`𝐀` as `A`), by
 * their name (`alpha`), without the marks that are missing, or else as a question mark, so that one
 * sees that something is missing; emoji are left out.
 */
export function plainText(given: string): string {
  const letters = Array.from(GRAPHEMES.segment(given.normalize('NFC')), ({ segment }) => {
    if (isDrawn(segment)) return segment
    const plain = segment.normalize('NFKC')
    if (isDrawn(plain)) return plain
    if (PICTURES.test(segment)) return ''
    return [...plain.normalize('NFD')]
      .map((sign) => {
        if (isDrawn(sign)) return sign
        return /[\p{M}\p{Cf}]/u.test(sign) ? '' : (SIGNS[sign] ?? greekName(sign) ?? NONE)
      })
      .join('')
  })
  return letters.join('').replace(/\s+/g, ' ').trim()
}

/** The runs of a line from left to right, by Unicode's bidirectional algorithm. */
function runsOf(text: string, direction: Direction): Run[] {
  const embedding = bidi.getEmbeddingLevels(text, direction)
  const runs: Run[] = []
  for (const at of bidi.getReorderedIndices(text, embedding)) {
    const sign = text.charAt(at)
    if (UNSEEN.test(sign)) continue
    const isMirrored = (embedding.levels[at] ?? 0) % 2 === 1
    const last = runs.at(-1)
    const isArabic = isMirrored && ARABIC.test(sign)
    const font = isArabic || !HAS.latin.has(sign.charCodeAt(0)) ? 'arabic' : 'latin'
    const shown = isMirrored && !isArabic ? (bidi.getMirroredCharacter(sign) ?? sign) : sign
    if (last?.font === font && last.isMirrored === isMirrored) {
      // The library joins Arabic letters, and writes all that is in their font from right to left.
      last.text = font === 'arabic' ? shown + last.text : last.text + shown
    } else runs.push({ font, isMirrored, text: shown })
  }
  return runs
}
