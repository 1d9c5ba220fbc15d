import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import bidiFactory from 'bidi-js'
import PDFDocument from 'pdfkit'
import type { Sheet } from './sheet.ts'

// In a child process, since names and titles are strangers' texts, and the libraries are large.

const bidi = bidiFactory()

type Weight = 'regular' | 'bold'

/** A part of a line that is written with one font in one direction. */
interface Run {
  readonly font: 'arabic' | 'latin'
  readonly isMirrored: boolean
  text: string
}

/** In points. */
const PAGE = { width: 595, height: 842, margin: 48 }
const INNER = PAGE.width - 2 * PAGE.margin
const AMOUNT_WIDTH = 110
const LINE = 1.5
const INK = '#1b2440'
const SOFT = '#5b6275'
const RULE = '#c9cdd8'

const ARABIC = /\p{Script_Extensions=Arabic}/u

/** Prints a sheet on A4; the same sheet always gives the same bytes. */
export async function printSheet(sheet: Sheet): Promise<Uint8Array> {
  const isRtl = sheet.locale === 'ar'
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    lang: sheet.locale,
    // The identifier of the file is made of these.
    info: { Title: sheet.title, CreationDate: new Date(sheet.at) },
  })
  for (const font of ['arabic-regular', 'arabic-bold', 'latin-regular', 'latin-bold']) {
    document.registerFont(font, join(import.meta.dirname, `fonts/readex-${font}.ttf`))
  }
  const bytes = buffer(document)
  let y = PAGE.margin

  const fontOf = (run: Run, weight: Weight, size: number) =>
    document.font(`${run.font}-${weight}`).fontSize(size)
  // Without features, the library would lay out each word alone, from left to right.
  const WHOLE = { features: ['kern' as const] }
  const widthOf = (text: string, weight: Weight, size: number) =>
    runsOf(text).reduce(
      (sum, run) => sum + fontOf(run, weight, size).widthOfString(run.text, WHOLE),
      0,
    )

  /** Writes one line that begins, or ends, at `x` from the side where lines begin. */
  function write(
    text: string,
    x: number,
    { size = 10, weight = 'regular', color = INK, end = false }: Look = {},
  ) {
    const width = widthOf(text, weight, size)
    const from = end ? x - width : x
    let at = isRtl ? PAGE.width - from - width : from
    for (const run of runsOf(text)) {
      fontOf(run, weight, size)
        .fillColor(color)
        .text(run.text, at, y, { ...WHOLE, lineBreak: false })
      at += document.widthOfString(run.text, WHOLE)
    }
  }

  /** A text as lines of at most `width` points. */
  function linesOf(text: string, width: number, { size = 10, weight = 'regular' }: Look = {}) {
    const lines = ['']
    for (const word of text.split(' ').flatMap((each) => each.match(/.{1,40}/gsu) ?? [])) {
      const longer = `${lines.at(-1)} ${word}`.trim()
      if (widthOf(longer, weight, size) <= width) lines[lines.length - 1] = longer
      else lines.push(word)
    }
    return lines.filter((line) => line !== '')
  }

  function paragraph(text: string, x: number, width: number, look: Look = {}) {
    for (const line of linesOf(text, width, look)) {
      room(16)
      write(line, x, look)
      y += (look.size ?? 10) * LINE
    }
  }

  function room(height: number) {
    if (y + height <= PAGE.height - PAGE.margin) return
    document.addPage()
    y = PAGE.margin
  }

  function rule() {
    document
      .moveTo(PAGE.margin, y)
      .lineTo(PAGE.width - PAGE.margin, y)
      .lineWidth(0.7)
    document.stroke(RULE)
    y += 8
  }

  const end = PAGE.width - PAGE.margin
  write(sheet.title, PAGE.margin, { size: 18, weight: 'bold' })
  y += 34
  for (const [label, value] of sheet.facts) {
    write(label, PAGE.margin, { color: SOFT })
    write(value, PAGE.margin + 150)
    y += 16
  }
  y += 12

  const half = INNER / 2 - 12
  const top = y
  let bottom = y
  for (const [at, { label, lines }] of sheet.parties.entries()) {
    const x = PAGE.margin + at * (half + 24)
    y = top
    paragraph(label, x, half, { color: SOFT })
    for (const [number, line] of lines.entries()) {
      paragraph(line, x, half, { weight: number === 0 ? 'bold' : 'regular' })
    }
    bottom = Math.max(bottom, y)
  }
  y = bottom + 18

  const [what, amount] = sheet.columns
  write(what, PAGE.margin, { color: SOFT })
  write(amount, end, { color: SOFT, end: true })
  y += 18
  rule()
  for (const [title, price] of sheet.rows) {
    room(32)
    write(price, end, { end: true })
    paragraph(title, PAGE.margin, INNER - AMOUNT_WIDTH)
    y += 5
  }
  y += 3
  room(20 * sheet.sums.length)
  rule()
  for (const [at, [label, sum]] of sheet.sums.entries()) {
    const weight = at === sheet.sums.length - 1 ? 'bold' : 'regular'
    write(label, end - AMOUNT_WIDTH - 20, { weight, end: true })
    write(sum, end, { weight, end: true })
    y += 18
  }
  y += 14
  for (const note of sheet.notes) paragraph(note, PAGE.margin, INNER, { size: 9, color: SOFT })
  document.end()
  return bytes
}

interface Look {
  readonly size?: number
  readonly weight?: Weight
  readonly color?: string
  readonly end?: boolean
}

/**
 * The runs of a line from left to right, by Unicode's bidirectional algorithm: a line has the
 * direction of its first letter, since a title may be in any language.
 */
function runsOf(text: string): Run[] {
  const embedding = bidi.getEmbeddingLevels(text)
  const runs: Run[] = []
  for (const at of bidi.getReorderedIndices(text, embedding)) {
    const sign = text.charAt(at)
    if (/\p{Bidi_Control}/u.test(sign)) continue
    const isMirrored = (embedding.levels[at] ?? 0) % 2 === 1
    const last = runs.at(-1)
    // Arabic letters that follow each other are joined by the font, which also reverses them.
    const font = isMirrored && ARABIC.test(sign) ? 'arabic' : 'latin'
    const shown = font === 'latin' && isMirrored ? (bidi.getMirroredCharacter(sign) ?? sign) : sign
    if (last?.font === font && last.isMirrored === isMirrored) {
      last.text = font === 'arabic' ? shown + last.text : last.text + shown
    } else runs.push({ font, isMirrored, text: shown })
  }
  return runs
}
