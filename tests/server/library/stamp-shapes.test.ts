// @one-database: it is about files.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type PDFiumDocument, PDFiumLibrary } from '@hyzyla/pdfium'
import fc from 'fast-check'
import decodeQR from 'qr/decode.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STAMP_MAX_LENGTH, stampText, type UnstampableReason } from '../../../src/rules/stamp.ts'
import { writeFooter } from '../../../src/server/library/stamping/footer.ts'
import { balanceOf } from '../../../src/server/library/stamping/graphics-balance.ts'
import { makeTail } from '../../../src/server/library/stamping/make-tail.ts'
import { amount } from '../../support/amount.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { aPdf } from '../../support/pdf.ts'
import { shapedPdf, shapes } from '../../support/shaped-pdf.ts'

let library: PDFiumLibrary
const directory = temporaryDirectory()
beforeAll(async () => {
  library = await PDFiumLibrary.init()
})
afterAll(() => library.destroy())

const TEXT = stampText('Karras', 1234, 'parent@karras.test')
const ADDRESS = 'https://shop.example/d/1234567'

async function stamped(
  pdf: Buffer,
  text = TEXT,
  address: string | null = ADDRESS,
): Promise<Buffer | UnstampableReason> {
  const path = join(directory, 'file.pdf')
  await writeFile(path, pdf)
  const made = await makeTail(library, path)
  if (made.reason !== null) return made.reason
  return Buffer.concat([pdf, writeFooter(Buffer.from(made.tail), { text, address })])
}

async function withDocument<T>(pdf: Buffer, read: (document: PDFiumDocument) => Promise<T>) {
  const document = await library.loadDocument(pdf)
  try {
    return await read(document)
  } finally {
    document.destroy()
  }
}

const packed = (text: string) => text.replace(/\s/g, '')

/** The text and the picture of each page. */
function pagesOf(pdf: Buffer) {
  return withDocument(pdf, async (document) => {
    const pages = []
    for (const page of document.pages()) {
      // Before it is drawn, which closes it.
      const text = packed(page.getText())
      const { originalWidth, originalHeight } = page.getOriginalSize()
      const size = { width: Math.round(originalWidth / 2), height: Math.round(originalHeight / 2) }
      const { data, width, height } = await page.render({ ...size, render: 'bitmap' })
      pages.push({ text, data: Buffer.from(data), width, height })
    }
    return pages
  })
}

type Page = Awaited<ReturnType<typeof pagesOf>>[number]

/** The region in which two pictures of a page differ, each edge from 0 to 1. */
function difference(one: Page, other: Page) {
  const found = { left: 1, right: 0, top: 1, bottom: 0, isAny: false }
  for (let at = 0; at < one.data.length; at += 4) {
    if (one.data.compare(other.data, at, at + 4, at, at + 4) === 0) continue
    const x = ((at / 4) % one.width) / one.width
    const y = Math.floor(at / 4 / one.width) / one.height
    found.left = Math.min(found.left, x)
    found.right = Math.max(found.right, x)
    found.top = Math.min(found.top, y)
    found.bottom = Math.max(found.bottom, y)
    found.isAny = true
  }
  return found
}

test('for any shape of PDF, each page stays as before, with the footer at its lower left', async () => {
  await fc.assert(
    fc.asyncProperty(shapes, async (shape) => {
      const pdf = shapedPdf(shape)
      const result = await stamped(pdf)
      if (typeof result === 'string') throw new Error(`not stamped: ${result}`)
      expect(result.subarray(0, pdf.length).equals(pdf)).toBe(true)
      const [before, after] = [await pagesOf(pdf), await pagesOf(result)]
      expect(after.length).toBe(shape.pages.length)
      for (const [at, page] of after.entries()) {
        const was = before[at] as Page
        expect([was.text + packed(TEXT), packed(TEXT) + was.text]).toContain(page.text)
        expect([page.width, page.height]).toEqual([was.width, was.height])
        const changed = difference(was, page)
        expect(changed.isAny).toBe(true)
        expect(changed.left).toBeLessThan(0.1)
        expect(changed.right).toBeLessThan(0.6)
        expect(changed.top).toBeGreaterThan(0.9)
      }
    }),
    { numRuns: amount('STAMP_SHAPES', { usual: 25, long: 500 }) },
  )
})

/** What a phone reads on the first page, from a picture of so many dots an inch. */
function codeOn(pdf: Buffer, dots: number): Promise<string> {
  return withDocument(pdf, async (document) => {
    const [page] = document.pages()
    if (!page) throw new Error('no page')
    const { data, width, height } = await page.render({ scale: dots / 72, render: 'bitmap' })
    return decodeQR({ data, width, height })
  })
}

test('the code on a page is read from a coarse copy, over what the page has there', async () => {
  // The page is blue to its edges.
  const pdf = aPdf('x', 1)
  for (const dots of [150, 300]) {
    expect(await codeOn((await stamped(pdf)) as Buffer, dots)).toBe(ADDRESS)
  }
  const long = `https://${'a'.repeat(50)}.example/d/1`
  expect(await codeOn((await stamped(pdf, TEXT, long)) as Buffer, 300)).toBe(long)
})

test('a page without a code, or whose address is too long for one, has its text alone', async () => {
  const pdf = aPdf('x', 1)
  for (const address of [null, `https://shop.example/${'a'.repeat(200)}`]) {
    await expect(codeOn((await stamped(pdf, TEXT, address)) as Buffer, 150)).rejects.toThrow()
  }
})

test('an unstampable file gives the reason', async () => {
  const pdf = aPdf('x', 2)
  const wrongIndex = Buffer.from(pdf)
  wrongIndex.write('startxref\n9', wrongIndex.lastIndexOf('startxref'), 'latin1')
  const encrypted = Buffer.from(
    pdf.toString('latin1').replace('/Info 4 0 R', '/Encrypt << /Filter /Standard /V 1 /R 2 >>'),
    'latin1',
  )
  const twice = Buffer.from(
    pdf.toString('latin1').replace('[5 0 R 7 0 R]', '[5 0 R 5 0 R]'),
    'latin1',
  )
  const cases: [Buffer, UnstampableReason][] = [
    [Buffer.from('%PDF-1.4\n%%EOF\n'), 'damaged'],
    [pdf.subarray(0, pdf.length / 2), 'damaged'],
    [wrongIndex, 'damaged'],
    [encrypted, 'encrypted'],
    [twice, 'changed'],
  ]
  for (const [bytes, reason] of cases) expect(await stamped(bytes)).toBe(reason)
})

test('any e-mail address fits, and none writes PDF operators', async () => {
  const blank = await stamped(aPdf('x', 1))
  expect(typeof blank).toBe('object')
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.oneof(fc.emailAddress(), fc.string({ unit: 'binary', minLength: 1 })),
      async (order, email) => {
        const text = stampText('Karras', order, email)
        expect(text.length).toBeLessThanOrEqual(STAMP_MAX_LENGTH)
        const result = (await stamped(aPdf('x', 1), text)) as Buffer
        expect(result.length).toBe((blank as Buffer).length)
        const [page] = await pagesOf(result)
        expect(page?.text).toContain(packed(`Karras · order ${order} ·`))
      },
    ),
    { numRuns: 20 },
  )
})

test.each([
  ['q Q', { saved: 0, isOverdrawn: false, isInText: false, marked: 0 }],
  ['q q (Q Q \\) Q) Tj <51> Tj % Q\n/Q gs', { saved: 2, isOverdrawn: false }],
  ['Q q', { isOverdrawn: true }],
  ['/Span << /q (Q) >> BDC BT', { isInText: true, marked: 1 }],
  ['q BI /W 1 ID \x01 EI\x02Q EI Q', { saved: 0, isOverdrawn: false }],
])('%j leaves %j', (content, expected) => {
  expect(balanceOf(Buffer.from(content, 'latin1'))).toMatchObject(expected)
})
