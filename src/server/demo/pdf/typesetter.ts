import PDFDocument from 'pdfkit'
import { type Direction, embeddingLevels, type Piece, visualPieces } from './bidi.ts'
import type { BookFonts } from './fonts.ts'

export interface TextStyle {
  readonly size: number
  readonly bold?: boolean
  readonly color?: string
  readonly align?: 'start' | 'center' | 'end'
  /** Line height as a multiple of the size. */
  readonly leading?: number
  /** For text in another direction than the book's; it still starts where the book's lines do. */
  readonly direction?: Direction
}

interface Word {
  readonly chars: string[]
  readonly levels: number[]
}

/** Every demo PDF carries this moment, so that the same book has the same bytes. */
const MADE = new Date('2026-01-15T08:00:00Z')

/** Sets Arabic and Latin paragraphs on A4 pages; lengths in points, y grows downwards. */
export class Typesetter {
  readonly direction: Direction
  readonly pdf: PDFKit.PDFDocument
  private readonly bytes: Promise<Buffer>

  constructor(fonts: BookFonts, direction: Direction, info: { title: string; author: string }) {
    this.direction = direction
    this.pdf = new PDFDocument({
      size: 'A4',
      margin: 0,
      autoFirstPage: false,
      info: { Title: info.title, Author: info.author, CreationDate: MADE, ModDate: MADE },
    })
    for (const [name, font] of Object.entries(fonts)) this.pdf.registerFont(name, font)
    this.bytes = collect(this.pdf)
  }

  /** The finished file. */
  async finish(): Promise<Buffer> {
    this.pdf.end()
    return this.bytes
  }

  /** How many lines the text takes at this width. */
  lineCount(text: string, width: number, style: TextStyle): number {
    return this.lines(text, width, style).length
  }

  /** Draws a paragraph and returns the y below it. */
  paragraph(text: string, box: { x: number; y: number; width: number }, style: TextStyle): number {
    const height = style.size * (style.leading ?? 1.7)
    let y = box.y
    for (const line of this.lines(text, box.width, style)) {
      this.line(line, { ...box, y }, style)
      y += height
    }
    return y
  }

  private lines(text: string, width: number, style: TextStyle): Word[][] {
    const { chars, levels } = embeddingLevels(keepTogether(text), style.direction ?? this.direction)
    const words = splitWords(chars, levels)
    const space = this.width(' ', 'latin', style)
    const lines: Word[][] = [[]]
    let used = 0
    for (const word of words) {
      const own = this.wordWidth(word, style)
      if (used > 0 && used + space + own > width) {
        lines.push([])
        used = 0
      }
      lines.at(-1)?.push(word)
      used += (used > 0 ? space : 0) + own
    }
    return lines
  }

  private line(
    words: readonly Word[],
    box: { x: number; y: number; width: number },
    style: TextStyle,
  ): void {
    const { chars, levels } = joinWords(words)
    const pieces = visualPieces(chars, levels)
    const widths = pieces.map((piece) => this.width(piece.text, piece.script, style))
    const total = widths.reduce((sum, width) => sum + width, 0)
    const free = box.width - total
    const atRight =
      (style.align ?? 'start') === 'start' ? this.direction === 'rtl' : this.direction === 'ltr'
    let x = box.x + (style.align === 'center' ? free / 2 : atRight ? free : 0)
    this.pdf.fillColor(style.color ?? '#1b2440')
    pieces.forEach((piece, at) => {
      if (piece.text !== ' ') {
        this.pdf
          .font(fontName(piece.script, style.bold), style.size)
          .text(piece.text, x, box.y, { lineBreak: false })
      }
      x += widths[at] ?? 0
    })
  }

  private wordWidth(word: Word, style: TextStyle): number {
    return visualPieces(word.chars, word.levels).reduce(
      (sum, piece) => sum + this.width(piece.text, piece.script, style),
      0,
    )
  }

  private width(text: string, script: Piece['script'], style: TextStyle): number {
    return this.pdf.font(fontName(script, style.bold), style.size).widthOfString(text)
  }
}

/** French puts spaces inside quotation marks and before `:`; no line breaks there. */
function keepTogether(text: string): string {
  return text.replace(/« /g, '«\u00a0').replace(/ (?=[»:;?!])/g, '\u00a0')
}

function fontName(script: Piece['script'], bold = false): keyof BookFonts {
  if (script === 'arabic') return bold ? 'arabicBold' : 'arabic'
  return bold ? 'latinBold' : 'latin'
}

function splitWords(chars: readonly string[], levels: readonly number[]): Word[] {
  const words: Word[] = []
  let start = 0
  for (let end = 0; end <= chars.length; end++) {
    if (end < chars.length && chars[end] !== ' ') continue
    if (end > start) {
      // The space after a word keeps its level: it may lie inside a formula.
      words.push({ chars: chars.slice(start, end), levels: levels.slice(start, end + 1) })
    }
    start = end + 1
  }
  return words
}

function joinWords(words: readonly Word[]): Word {
  const chars: string[] = []
  const levels: number[] = []
  words.forEach((word, at) => {
    chars.push(...word.chars)
    levels.push(...word.levels.slice(0, word.chars.length))
    if (at === words.length - 1) return
    chars.push(' ')
    levels.push(word.levels[word.chars.length] ?? word.levels.at(-1) ?? 0)
  })
  return { chars, levels }
}

function collect(pdf: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
    pdf.on('end', () => resolve(Buffer.concat(chunks)))
    pdf.on('error', reject)
  })
}
