import { type Direction, directionOf } from './bidi.ts'
import type { BookFonts } from './fonts.ts'
import { type TextStyle, Typesetter } from './typesetter.ts'

/** What a page of a book is made of, in reading order. */
export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'points'; readonly items: readonly string[] }
  | {
      readonly kind: 'exercise'
      readonly label: string
      readonly text: string
      /** Ruled lines left for writing. */
      readonly answerLines: number
    }
  | { readonly kind: 'page-break' }

/** Everything that is printed in one demo document. */
export interface Book {
  readonly direction: Direction
  readonly title: string
  readonly subject: string
  readonly className: string
  readonly category: string
  readonly teacher: string
  readonly footer: string
  /** The cover's colour, `#rrggbb`. */
  readonly color: string
  readonly blocks: readonly Block[]
}

const PAGE = { width: 595.28, height: 841.89, top: 84, bottom: 770, edge: 64 }
const INK = {
  text: '#1b2440',
  soft: '#4b5573',
  rule: '#c9cdea',
  margin: '#d6455d',
  paper: '#fdfcf8',
}
const BODY: TextStyle = { size: 12.5, leading: 1.75 }
const PART_INDENT = 22

/** A finished PDF. */
export interface Printed {
  readonly bytes: Buffer
  readonly pages: number
}

/** Makes the PDF of a book: a cover, then its pages. The same book gives the same bytes. */
export async function makeBook(book: Book, fonts: BookFonts): Promise<Printed> {
  const sheet = new Typesetter(fonts, book.direction, { title: book.title, author: book.teacher })
  drawCover(sheet, book)
  const pages = new Pages(sheet, book)
  for (const block of book.blocks) pages.add(block)
  return { bytes: await sheet.finish(), pages: pages.count }
}

function drawCover(sheet: Typesetter, book: Book): void {
  const { pdf, direction } = sheet
  const { width, height } = PAGE
  pdf.addPage()
  pdf.rect(0, 0, width, height).fill(book.color)
  const spineAt = direction === 'rtl' ? width - 46 : 0
  pdf.rect(spineAt, 0, 46, height).fillOpacity(0.22).fill('#000000').fillOpacity(1)

  const label = { x: direction === 'rtl' ? 70 : 116, y: 150, width: width - 186, height: 300 }
  pdf.roundedRect(label.x, label.y, label.width, label.height, 8).fill('#ffffff')
  const inner = { x: label.x + 26, width: label.width - 52 }
  const title: TextStyle = {
    size: 26,
    bold: true,
    align: 'center',
    leading: 1.5,
    direction: directionOf(book.title, direction),
  }
  const below = sheet.paragraph(book.title, { ...inner, y: label.y + 34 }, title)
  let y = Math.max(below + 14, label.y + 150)
  for (const text of [book.subject, book.className]) {
    sheet.paragraph(
      text,
      { ...inner, y },
      { size: 16, align: 'center', color: INK.soft, direction: directionOf(text, direction) },
    )
    y += 34
    pdf.moveTo(inner.x, y - 2).lineTo(inner.x + inner.width, y - 2)
    pdf.lineWidth(0.8).strokeColor(INK.rule).stroke()
    y += 10
  }
  const line = { ...inner, y: 520 }
  sheet.paragraph(book.category, line, { size: 20, bold: true, align: 'center', color: '#ffffff' })
  sheet.paragraph(
    book.teacher,
    { ...inner, y: 560 },
    {
      size: 16,
      align: 'center',
      color: '#ffffff',
      direction: directionOf(book.teacher, direction),
    },
  )
  sheet.paragraph(
    book.footer,
    { ...inner, y: 770 },
    { size: 12, align: 'center', color: '#ffffff' },
  )
}

/** Fills page after page from the top. */
class Pages {
  private readonly sheet: Typesetter
  private readonly book: Book
  private readonly box: { x: number; width: number }
  private y: number = PAGE.bottom
  /** Pages so far, the cover included. */
  count = 1

  constructor(sheet: Typesetter, book: Book) {
    this.sheet = sheet
    this.book = book
    this.box = { x: PAGE.edge, width: PAGE.width - 2 * PAGE.edge }
    this.turn()
  }

  add(block: Block): void {
    if (block.kind === 'page-break') {
      if (this.y > PAGE.top) this.turn()
    } else if (block.kind === 'heading') {
      this.makeRoom(90)
      this.write(block.text, { size: 18, bold: true, color: this.book.color, leading: 1.8 })
      this.y += 4
    } else if (block.kind === 'text') {
      this.write(block.text, BODY)
      this.y += 8
    } else if (block.kind === 'points') {
      for (const item of block.items) this.point(item, '•')
      this.y += 10
    } else {
      this.exercise(block)
    }
  }

  private exercise(block: Extract<Block, { kind: 'exercise' }>): void {
    this.makeRoom(70 + block.answerLines * 24)
    this.write(block.label, { size: 14, bold: true, leading: 1.8 })
    this.write(block.text, BODY)
    for (let line = 0; line < block.answerLines; line++) this.answerLine()
    this.y += 14
  }

  private point(text: string, mark: string): void {
    const width = this.box.width - PART_INDENT
    const x = this.sheet.direction === 'rtl' ? this.box.x : this.box.x + PART_INDENT
    this.makeRoom(this.height(text, width))
    const markBox = { x: this.box.x, y: this.y, width: this.box.width }
    this.sheet.paragraph(mark, markBox, { ...BODY, color: this.book.color })
    this.y = this.sheet.paragraph(text, { x, y: this.y, width }, BODY) + 2
  }

  private answerLine(): void {
    this.makeRoom(24)
    this.y += 20
    const { pdf } = this.sheet
    pdf.moveTo(this.box.x, this.y).lineTo(this.box.x + this.box.width, this.y)
    pdf.lineWidth(0.6).strokeColor(INK.rule).stroke()
    this.y += 4
  }

  private write(text: string, style: TextStyle): void {
    const lines = this.sheet.lineCount(text, this.box.width, style)
    this.makeRoom(lines * style.size * (style.leading ?? 1.7))
    this.y = this.sheet.paragraph(text, { ...this.box, y: this.y }, style)
  }

  private height(text: string, width: number): number {
    return this.sheet.lineCount(text, width, BODY) * BODY.size * (BODY.leading ?? 1.7)
  }

  private makeRoom(height: number): void {
    if (this.y + height > PAGE.bottom) this.turn()
  }

  private turn(): void {
    const { pdf, direction } = this.sheet
    pdf.addPage()
    this.count += 1
    pdf.rect(0, 0, PAGE.width, PAGE.height).fill(INK.paper)
    const margin = direction === 'rtl' ? PAGE.width - 46 : 46
    pdf.moveTo(margin, 0).lineTo(margin, PAGE.height)
    pdf.lineWidth(0.9).strokeColor(INK.margin).stroke()
    pdf.moveTo(this.box.x, 60).lineTo(this.box.x + this.box.width, 60)
    pdf.lineWidth(0.5).strokeColor(INK.rule).stroke()
    const small: TextStyle = { size: 10, color: INK.soft }
    const titled = { ...small, direction: directionOf(this.book.title, direction) }
    this.sheet.paragraph(this.book.title, { ...this.box, y: 38 }, titled)
    this.sheet.paragraph(`${this.count}`, { ...this.box, y: 796 }, { ...small, align: 'center' })
    this.y = PAGE.top
  }
}
