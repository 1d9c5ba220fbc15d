/** Functions of PDFium that the library does not wrap; pages, objects and fonts are handles. */
export interface PdfiumFonts {
  readonly HEAPU8: Uint8Array
  readonly wasmExports: { malloc(bytes: number): number; free(pointer: number): void }
  _FPDF_LoadPage(document: number, index: number): number
  _FPDF_ClosePage(page: number): void
  _FPDFText_LoadPage(page: number): number
  _FPDFText_ClosePage(text: number): void
  _FPDFPage_CountObjects(page: number): number
  _FPDFPage_GetObject(page: number, index: number): number
  _FPDFPageObj_GetType(object: number): number
  _FPDFFormObj_CountObjects(form: number): number
  _FPDFFormObj_GetObject(form: number, index: number): number
  _FPDFTextObj_GetFont(object: number): number
  _FPDFTextObj_GetText(object: number, text: number, buffer: number, bytes: number): number
  _FPDFFont_GetIsEmbedded(font: number): number
  _FPDFFont_GetBaseFontName(font: number, buffer: number, bytes: number): number
}

/** PDFium's numbers of the kinds of objects. */
const TEXT = 1
const FORM = 5

/** A document shows what its fonts are on its first pages, and a page in its first objects. */
const PAGES_MAX = 30
const OBJECTS_MAX = 3000
const DEPTH_MAX = 4
const FONTS_SHOWN = 5

/** The longest name of a font and the longest text that are read, in bytes. */
const BUFFER_BYTES = 512

/** What PDFium's own fonts have; they stand in for fonts that a file lacks. */
const DRAWABLE = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Common}\p{Script=Inherited}]+$/u

/**
 * The names of fonts that a document (a handle) uses without containing them, for letters that no
 * font of ours can draw: Arabic ones, or signs of which it does not say what they are.
 */
export function missingFonts(pdfium: PdfiumFonts, document: number, pageCount: number): string[] {
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
      if (type === FORM && depth < DEPTH_MAX) {
        const count = Math.min(pdfium._FPDFFormObj_CountObjects(object), left)
        for (let at = 0; at < count; at++) {
          visit(pdfium._FPDFFormObj_GetObject(object, at), depth + 1)
        }
      }
      if (type !== TEXT) return
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
