import { readFile } from 'node:fs/promises'
import type { PDFiumDocument, PDFiumLibrary } from '@hyzyla/pdfium'
import type { OfficeErrorCode } from '../../../contract/all-errors.ts'
import { FILE_MAX_PAGES } from '../../../rules/uploads.ts'
import { findActiveContent } from './active-content.ts'
import { functionsOf, handleOf, OBJECTS, type Pdfium } from './pdfium.ts'

/** Why a file is refused, by the codes of the contract. */
export type PdfFault = Extract<OfficeErrorCode, 'not_a_pdf' | `pdf_${string}`>

export interface CheckedPdf {
  readonly pages: number
  /** Where the PDF begins in the file: at most `LEADING_MAX_BYTES`, which mail and web programs add. */
  readonly start: number
  /** Fonts that the file lacks, and without which some of it cannot be shown. */
  readonly missingFonts: readonly string[]
  readonly isSigned: boolean
}

/** How many bytes may be before a PDF, by the custom of viewers. */
const LEADING_MAX_BYTES = 1024
const SIGNATURE = '%PDF-'

// The results of PDFium's FPDF_GetLastError for a file that it does not open.
const PASSWORD_NEEDED = 4
const UNKNOWN_PROTECTION = 5
/** The result of FPDF_GetSecurityHandlerRevision for a file without protection. */
const UNPROTECTED = -1
/** The results of FPDF_GetFormType for a form in XML, which has scripts of its own. */
const XML_FORMS = [2, 3]

const FAULTS = {
  active: 'pdf_active',
  bomb: 'pdf_too_complex',
  unknown: 'pdf_not_checkable',
} as const satisfies Record<string, PdfFault>

/**
 * Checks whether a file is a PDF that the shop may deliver: it opens without a password, is not
 * encrypted (since what is encrypted cannot be checked), has no more pages than allowed and no
 * active content. `draw` draws a page.
 */
export async function checkPdf(
  library: PDFiumLibrary,
  path: string,
  draw: (document: PDFiumDocument) => void,
): Promise<CheckedPdf | PdfFault> {
  const file = await readFile(path)
  const start = file.subarray(0, LEADING_MAX_BYTES + SIGNATURE.length).indexOf(SIGNATURE)
  if (start < 0) return 'not_a_pdf'
  const bytes = file.subarray(start)
  const pdfium = functionsOf(library)
  const document = await library.loadDocument(bytes).catch((error: unknown) => {
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) throw error
    return pdfium._FPDF_GetLastError()
  })
  if (typeof document === 'number') {
    const isProtected = document === PASSWORD_NEEDED || document === UNKNOWN_PROTECTION
    return isProtected ? 'pdf_encrypted' : 'pdf_damaged'
  }
  try {
    const handle = handleOf(document)
    if (pdfium._FPDF_GetSecurityHandlerRevision(handle) !== UNPROTECTED) return 'pdf_restricted'
    const pages = document.getPageCount()
    if (pages === 0) return 'pdf_damaged'
    if (pages > FILE_MAX_PAGES) return 'pdf_too_many_pages'
    const found = await findActiveContent(bytes)
    if (found) return FAULTS[found]
    const isActive =
      pdfium._FPDFDoc_GetJavaScriptActionCount(handle) > 0 ||
      pdfium._FPDFDoc_GetAttachmentCount(handle) > 0 ||
      XML_FORMS.includes(pdfium._FPDF_GetFormType(handle))
    if (isActive) return 'pdf_active'
    draw(document)
    const fonts = missingFonts(pdfium, handle, pages)
    return { pages, start, missingFonts: fonts, isSigned: isSigned(bytes) }
  } finally {
    document.destroy()
  }
}

/** A document shows what its fonts are on its first pages, and a page in its first objects. */
const PAGES_MAX = 30
const OBJECTS_MAX = 3000
const DEPTH_MAX = 4
const FONTS_SHOWN = 5

/** The longest name of a font and the longest text that are read, in bytes. */
const BUFFER_BYTES = 512

/** What PDFium's own fonts have; they stand in for fonts that a file lacks. */
export const DRAWABLE =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Common}\p{Script=Inherited}]+$/u

/** Fonts that a document lacks for letters that no font of ours has: Arabic or unknown ones. */
function missingFonts(pdfium: Pdfium, document: number, pageCount: number): string[] {
  const missing = new Set<string>()
  const buffer = pdfium.wasmExports.malloc(BUFFER_BYTES)
  const written = (bytes: number) =>
    Buffer.from(pdfium.HEAPU8.slice(buffer, buffer + Math.max(0, Math.min(bytes, BUFFER_BYTES))))
  /** By handle; null: the file contains it. */
  const fonts = new Map<number, string | null>()

  function nameOf(font: number): string | null {
    let name = fonts.get(font)
    if (name === undefined) {
      const isThere = font === 0 || pdfium._FPDFFont_GetIsEmbedded(font) !== 0
      const bytes = isThere ? 0 : pdfium._FPDFFont_GetBaseFontName(font, buffer, BUFFER_BYTES)
      name = isThere ? null : written(bytes).toString('utf8').replaceAll('\0', '') || '?'
      fonts.set(font, name)
    }
    return name
  }

  function look(page: number): void {
    let text = 0
    let left = OBJECTS_MAX
    function visit(object: number, depth: number): void {
      if (left-- <= 0) return
      const type = pdfium._FPDFPageObj_GetType(object)
      if (type === OBJECTS.form && depth < DEPTH_MAX) {
        const count = Math.min(pdfium._FPDFFormObj_CountObjects(object), left)
        for (let at = 0; at < count; at++) {
          visit(pdfium._FPDFFormObj_GetObject(object, at), depth + 1)
        }
      }
      if (type !== OBJECTS.text) return
      const name = nameOf(pdfium._FPDFTextObj_GetFont(object))
      if (name === null || missing.has(name)) return
      text ||= pdfium._FPDFText_LoadPage(page)
      const bytes = pdfium._FPDFTextObj_GetText(object, text, buffer, BUFFER_BYTES)
      const letters = written(bytes).toString('utf16le').replaceAll('\0', '')
      if (letters !== '' && !DRAWABLE.test(letters)) missing.add(name)
    }
    const count = Math.min(pdfium._FPDFPage_CountObjects(page), OBJECTS_MAX)
    for (let at = 0; at < count; at++) visit(pdfium._FPDFPage_GetObject(page, at), 0)
    if (text) pdfium._FPDFText_ClosePage(text)
  }

  try {
    for (let index = 0; index < Math.min(pageCount, PAGES_MAX); index++) {
      const page = pdfium._FPDF_LoadPage(document, index)
      if (!page) continue
      look(page)
      pdfium._FPDF_ClosePage(page)
      if (missing.size >= FONTS_SHOWN) break
    }
    return [...missing].map(withoutTag)
  } finally {
    pdfium.wasmExports.free(buffer)
  }
}

/** The name without the tag of a font of which a file has only some letters (`ABCDEF+`). */
const withoutTag = (name: string): string => name.replace(/^[A-Z]{6}\+/, '').toWellFormed()

/**
 * Whether a PDF has a signature: of a person, of its author, who may forbid changes (DocMDP), or of
 * a program, which lets Adobe Reader fill it in (UR3). Each names the bytes that it signs, and is
 * never packed, since these bytes surround it.
 */
export function isSigned(pdf: Uint8Array): boolean {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  let at = bytes.indexOf(SIGNED_BYTES)
  while (at >= 0) {
    const after = at + SIGNED_BYTES.length
    if (/^\s*\[\s*\d/.test(bytes.toString('latin1', after, after + 32))) return true
    at = bytes.indexOf(SIGNED_BYTES, after)
  }
  return false
}

const SIGNED_BYTES = '/ByteRange'
