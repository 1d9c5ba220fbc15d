import { open } from 'node:fs/promises'
import type { PDFiumLibrary } from '@hyzyla/pdfium'
import { stampText, type UnstampableReason } from '../../../rules/stamp.ts'
import { isSigned } from '../safety/check-pdf.ts'
import { functionsOf, openPdfium, type Pdfium, withMemory } from '../safety/pdfium.ts'
import { blankTail, type Place } from './blank-tail.ts'
import { writeFooter } from './footer.ts'
import { Unstampable } from './pdf-update.ts'

/** The most bytes that footers may add to a file. */
const TAIL_MAX_BYTES = 4 * 1024 ** 2

const SAMPLE = {
  text: stampText('Shop', 123456, 'parent@shop.example'),
  address: 'https://shop.example/d/123456',
}

/** A blank tail, or the reason why the file does not get one. */
type MadeTail =
  | { readonly tail: Uint8Array; readonly reason: null }
  | { readonly reason: UnstampableReason; readonly detail: string }

/** A task of its own: the parser takes long to load, and most processes stamp nothing. */
export const blankFooters = async ({ path }: { path: string }): Promise<MadeTail> =>
  makeTail(await openPdfium(), path)

/** Checks that the file still opens and reads as before. Only PDFium's memory holds it. */
export async function makeTail(library: PDFiumLibrary, path: string): Promise<MadeTail> {
  const pdfium = functionsOf(library)
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const at = pdfium.wasmExports.malloc(size + TAIL_MAX_BYTES)
    try {
      await file.read(pdfium.HEAPU8, at, size, 0)
      if (isSigned(pdfium.HEAPU8.subarray(at, at + size))) {
        throw new Unstampable('signed', 'it is signed')
      }
      const { bytes: tail, places } = await blankTail(pdfium.HEAPU8.subarray(at, at + size))
      if (tail.length > TAIL_MAX_BYTES) {
        throw new Unstampable('too_large', `${tail.length} bytes for ${places.length} pages`)
      }
      pdfium.HEAPU8.set(writeFooter(tail, SAMPLE), at + size)
      checkTail(pdfium, { at, size, stampedSize: size + tail.length, places, text: SAMPLE.text })
      return { tail, reason: null }
    } finally {
      pdfium.wasmExports.free(at)
    }
  } catch (error) {
    if (error instanceof Unstampable) return { reason: error.reason, detail: error.message }
    throw error
  } finally {
    await file.close()
  }
}

/** Pages that are read, spread evenly; the number and sizes of all are compared. */
const READ_PAGES = 60
/** By how many points a footer or a page's size may differ from what was computed. */
const TOLERANCE = 2

interface Stamped {
  /** The address of the file in PDFium's memory, its size in bytes, and its size with the tail. */
  readonly at: number
  readonly size: number
  readonly stampedSize: number
  readonly places: readonly Place[]
  /** The footer's text; its first letter is in it once. */
  readonly text: string
}

/**
 * Compares a file with its stamped copy as PDFium reads them: the index is sound, the number and
 * sizes of the pages are equal, and their text is equal except for the footer, which is in its
 * place. Throws `Unstampable`.
 */
function checkTail(pdfium: Pdfium, { at, size, stampedSize, places, text }: Stamped): void {
  const before = pdfium._FPDF_LoadMemDocument(at, size, 0)
  const after = pdfium._FPDF_LoadMemDocument(at, stampedSize, 0)
  try {
    if (!before || !pdfium._FPDF_DocumentHasValidCrossReferenceTable(before)) {
      throw new Unstampable('damaged', 'PDFium has to repair it')
    }
    if (pdfium._FPDF_GetSecurityHandlerRevision(before) !== -1) {
      throw new Unstampable('encrypted', 'it is encrypted')
    }
    if (!after || !pdfium._FPDF_DocumentHasValidCrossReferenceTable(after)) {
      throw new Unstampable('changed', 'the stamped file does not open')
    }
    const pages = pdfium._FPDF_GetPageCount(before)
    if (pages !== places.length || pages !== pdfium._FPDF_GetPageCount(after)) {
      throw new Unstampable('changed', `${pages} pages, of which ${places.length} were found`)
    }
    const step = Math.max(1, pages / READ_PAGES)
    for (let page = 0; page < pages; page++) {
      const isRead = page === pages - 1 || Math.floor(page / step) !== Math.floor((page - 1) / step)
      const place = places[page]
      if (place) comparePage(pdfium, { before, after, page, place, text, isRead })
    }
  } finally {
    if (after) pdfium._FPDF_CloseDocument(after)
    if (before) pdfium._FPDF_CloseDocument(before)
  }
}

interface Compared {
  readonly before: number
  readonly after: number
  readonly page: number
  readonly place: Place
  readonly text: string
  readonly isRead: boolean
}

function comparePage(pdfium: Pdfium, { before, after, page, place, text, isRead }: Compared): void {
  const size = sizeOf(pdfium, after, page)
  const was = sizeOf(pdfium, before, page)
  const isSame = size.width === was.width && size.height === was.height
  if (!isSame || !isNear(size.width, place.width) || !isNear(size.height, place.height)) {
    throw new Unstampable('changed', `page ${page + 1} has another size`)
  }
  if (!isRead) return
  const first = text.charAt(0)
  const old = readPage(pdfium, before, page, first)
  const stamped = readPage(pdfium, after, page, first)
  const footer = plain(text)
  const isBefore = plain(stamped.text) === footer + plain(old.text)
  if (!isBefore && plain(stamped.text) !== plain(old.text) + footer) {
    throw new Unstampable('changed', `page ${page + 1} reads otherwise`)
  }
  const origin = stamped.originOf(
    isBefore ? stamped.text.indexOf(first) : stamped.text.lastIndexOf(first),
  )
  const [, , , , x, y] = place.matrix
  if (!isNear(origin.x, x) || !isNear(origin.y, y)) {
    throw new Unstampable('changed', `the footer of page ${page + 1} stands elsewhere`)
  }
}

const isNear = (one: number, other: number) => Math.abs(one - other) < TOLERANCE

/** A text without the characters that readers insert: spaces, line breaks, hyphens. */
const plain = (text: string) => text.replace(/[\s\p{C}\u2010-\u2012-]/gu, '')

function sizeOf(pdfium: Pdfium, document: number, page: number) {
  return withMemory(pdfium, 8, (at) => {
    pdfium._FPDF_GetPageSizeByIndexF(document, page, at)
    const [width = 0, height = 0] = new Float32Array(pdfium.HEAPU8.buffer, at, 2)
    return { width, height }
  })
}

/** The text, one UTF-16 unit a character, and where `letter` is first and last (points). */
function readPage(pdfium: Pdfium, document: number, number: number, letter: string) {
  const page = pdfium._FPDF_LoadPage(document, number)
  const text = pdfium._FPDFText_LoadPage(page)
  try {
    const count = Math.max(0, pdfium._FPDFText_CountChars(text))
    const units = Array.from({ length: count }, (_, at) => pdfium._FPDFText_GetUnicode(text, at))
    const origins = new Map<number, { x: number; y: number }>()
    // Read immediately, since the page is closed afterwards.
    const unit = letter.charCodeAt(0)
    for (const at of [units.indexOf(unit), units.lastIndexOf(unit)]) {
      if (at >= 0) origins.set(at, originOf(pdfium, text, at))
    }
    return {
      text: units.map((unit) => String.fromCharCode(unit)).join(''),
      originOf: (at: number) => origins.get(at) ?? { x: Number.NaN, y: Number.NaN },
    }
  } finally {
    pdfium._FPDFText_ClosePage(text)
    pdfium._FPDF_ClosePage(page)
  }
}

function originOf(pdfium: Pdfium, text: number, at: number) {
  return withMemory(pdfium, 16, (place) => {
    pdfium._FPDFText_GetCharOrigin(text, at, place, place + 8)
    const [x = 0, y = 0] = new Float64Array(pdfium.HEAPU8.buffer, place, 2)
    return { x, y }
  })
}
