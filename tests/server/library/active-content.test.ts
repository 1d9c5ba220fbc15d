// @one-database: it is about files.
import { deflateSync } from 'node:zlib'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findActiveContent } from '../../../src/server/library/safety/active-content.ts'
import { aPdf } from '../../support/pdf.ts'
import { opening, packedOpening, scripted } from '../../support/pdf-draft.ts'
import { shapedPdf, shapes } from '../../support/shaped-pdf.ts'
import { TRICKY } from '../../support/tricky-pdf.ts'

describe('a PDF is read as every viewer could read it', () => {
  test.for(Object.entries(TRICKY))('%s', { timeout: 60_000 }, async ([_, [verdict, bytes]]) => {
    expect(await findActiveContent(bytes())).toBe(verdict)
  })
})

test('ordinary documents of any shape are accepted', async () => {
  expect(await findActiveContent(aPdf('كتاب', 40, ['الأول', 'الثاني']))).toBeNull()
  await fc.assert(
    fc.asyncProperty(shapes, async (shape) => {
      expect(await findActiveContent(shapedPdf(shape))).toBeNull()
    }),
  )
})

/** A name in one of its spellings. */
const spelled = (name: string) =>
  fc
    .array(fc.boolean(), { minLength: name.length, maxLength: name.length })
    .map((inNumbers) =>
      [...name].map((letter, at) =>
        inNumbers[at] ? `#${letter.charCodeAt(0).toString(16)}` : letter,
      ),
    )
    .map((letters) => `/${letters.join('')}`)

/** What may be between words. */
const between = fc
  .array(fc.constantFrom(' ', '\n', '\r\n', '\t', '\0', '\f', '%)>>\n', '% (\r'), { maxLength: 3 })
  .map((parts) => parts.join(''))

const others = fc.constantFrom(
  '/Type/Action',
  '/Pad(obj)',
  '/Pad[(endobj)(<<)]',
  '/Pad<</S/URI>>',
  '/Next null',
  '/Pad<3e3e>',
)

/** The entries of a script in any order and spelling, among others. */
const scripts = fc
  .tuple(spelled('S'), spelled('JavaScript'), spelled('JS'), fc.array(others), between, between)
  .chain(([s, javaScript, js, entries, first, second]) =>
    fc
      .shuffledSubarray(
        [`${s}${first}${javaScript}`, `${js}${second}(app.alert\\(1\\))`, ...entries],
        { minLength: entries.length + 2 },
      )
      .map((all) => `<<${all.join(`${second} `)}${first}>>`),
  )

const FILTERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  FlateDecode: (bytes) => deflateSync(bytes),
  ASCIIHexDecode: (bytes) => Buffer.from(`${bytes.toString('hex')}>`),
  RunLengthDecode: (bytes) =>
    Buffer.concat([...bytes].map((byte) => Buffer.of(0, byte)).concat(Buffer.of(128))),
}

test('a script is found in any spelling, packed or not', async () => {
  const filters = fc.array(fc.constantFrom(...Object.keys(FILTERS)), { maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(scripts, filters, async (script, names) => {
      const pack = (bytes: Buffer) =>
        names.reduceRight((packed, name) => FILTERS[name]?.(packed) ?? packed, bytes)
      const filter = `[${names.map((name) => `/${name}`).join(' ')}]`
      expect(await findActiveContent(opening(script))).toBe('active')
      expect(await findActiveContent(packedOpening(script, { filter, pack }))).toBe('active')
    }),
  )
})

/** A change of a file: bytes of it are replaced, or repeated elsewhere, or cut out. */
const changes = fc.array(
  fc.record({
    kind: fc.constantFrom('replace', 'repeat', 'cut'),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    to: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.integer({ min: 1, max: 40 }),
    with: fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom('<<', '>>', '[', ']', '(', ')', '%', 'obj ', 'endobj', 'stream\n', '/S', ' R')
        .map((text) => Buffer.from(text)),
    ),
  }),
  { minLength: 1, maxLength: 6 },
)

function changed(file: Buffer, all: typeof changes extends fc.Arbitrary<infer T> ? T : never) {
  return all.reduce((bytes, { kind, at, to, length, with: other }) => {
    const from = Math.floor(at * bytes.length)
    const piece = bytes.subarray(from, from + length)
    const target = Math.floor(to * bytes.length)
    if (kind === 'repeat') {
      return Buffer.concat([bytes.subarray(0, target), piece, bytes.subarray(target)])
    }
    const replaced = kind === 'cut' ? Buffer.of() : other
    return Buffer.concat([bytes.subarray(0, from), replaced, bytes.subarray(from + piece.length)])
  }, file)
}

/** Functions of PDFium that the library does not wrap. */
interface Pdfium {
  _FPDFDoc_GetJavaScriptAction(document: number, index: number): number
  _FPDFDoc_CloseJavaScriptAction(action: number): void
}

describe('changed files', () => {
  let library: PDFiumLibrary
  beforeAll(async () => {
    library = await PDFiumLibrary.init()
  })
  afterAll(() => library.destroy())

  /** Whether PDFium would run a script of the file. */
  async function isRun(bytes: Buffer): Promise<boolean> {
    const document = await library.loadDocument(bytes).catch(() => null)
    if (!document) return false
    const { module: pdfium } = library as unknown as { module: Pdfium }
    const { documentIdx } = document as unknown as { documentIdx: number }
    const action = pdfium._FPDFDoc_GetJavaScriptAction(documentIdx, 0)
    if (action) pdfium._FPDFDoc_CloseJavaScriptAction(action)
    document.destroy()
    return action !== 0
  }

  test('get a verdict, however they are damaged', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, changes, async (shape, all) => {
        const verdict = await findActiveContent(changed(shapedPdf(shape), all))
        expect(['active', 'bomb', 'unknown', null]).toContain(verdict)
      }),
      { numRuns: 300 },
    )
  })

  test('are not accepted while PDFium finds their script', async () => {
    const files = fc.constantFrom('table', 'packed', 'deflated').map(scripted)
    await fc.assert(
      fc.asyncProperty(files, changes, async (file, all) => {
        const bytes = changed(file, all)
        if (await isRun(bytes)) expect(await findActiveContent(bytes)).not.toBeNull()
      }),
      { numRuns: 300 },
    )
    for (const kind of ['table', 'packed', 'deflated'] as const) {
      expect(await isRun(scripted(kind))).toBe(true)
    }
  })
})
