import { readFile } from 'node:fs/promises'
import type { PDFiumDocument, PDFiumLibrary } from '@hyzyla/pdfium'
import type { OfficeErrorCode } from '../../../contract/all-errors.ts'
import { FILE_MAX_PAGES } from '../../../rules/uploads.ts'
import { findActiveContent } from './active-content.ts'
import { missingFonts, type PdfiumFonts } from './missing-fonts.ts'

/** Why a file is refused, by the codes of the contract. */
export type PdfFault = Extract<OfficeErrorCode, 'not_a_pdf' | `pdf_${string}`>

export interface CheckedPdf {
  readonly pages: number
  /** Where the PDF begins in the file: at most `LEADING_MAX_BYTES`, which mail and web programs add. */
  readonly start: number
  /** Fonts that the file lacks, and without which some of it cannot be shown. */
  readonly missingFonts: readonly string[]
}

/** How many bytes may stand before a PDF, by the custom of viewers. */
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

/** Functions of PDFium that the library does not wrap. */
interface Pdfium extends PdfiumFonts {
  _FPDF_GetLastError(): number
  _FPDF_GetSecurityHandlerRevision(document: number): number
  _FPDF_GetFormType(document: number): number
  _FPDFDoc_GetJavaScriptActionCount(document: number): number
  _FPDFDoc_GetAttachmentCount(document: number): number
}

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
  const { module: pdfium } = library as unknown as { module: Pdfium }
  const document = await library.loadDocument(bytes).catch((error: unknown) => {
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) throw error
    return pdfium._FPDF_GetLastError()
  })
  if (typeof document === 'number') {
    const isProtected = document === PASSWORD_NEEDED || document === UNKNOWN_PROTECTION
    return isProtected ? 'pdf_encrypted' : 'pdf_damaged'
  }
  try {
    const { documentIdx } = document as unknown as { documentIdx: number }
    if (pdfium._FPDF_GetSecurityHandlerRevision(documentIdx) !== UNPROTECTED)
      return 'pdf_restricted'
    const pages = document.getPageCount()
    if (pages === 0) return 'pdf_damaged'
    if (pages > FILE_MAX_PAGES) return 'pdf_too_many_pages'
    const found = await findActiveContent(bytes)
    if (found) return FAULTS[found]
    const isActive =
      pdfium._FPDFDoc_GetJavaScriptActionCount(documentIdx) > 0 ||
      pdfium._FPDFDoc_GetAttachmentCount(documentIdx) > 0 ||
      XML_FORMS.includes(pdfium._FPDF_GetFormType(documentIdx))
    if (isActive) return 'pdf_active'
    draw(document)
    return { pages, start, missingFonts: missingFonts(pdfium, documentIdx, pages) }
  } finally {
    document.destroy()
  }
}
