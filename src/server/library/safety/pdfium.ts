import { type PDFiumDocument, PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium'

/**
 * PDFium itself, for functions that the library does not wrap. Documents, pages, texts of pages,
 * objects, fonts, bookmarks, places, bitmaps and forms are handles.
 */
export interface Pdfium {
  readonly HEAPU8: Uint8Array<ArrayBuffer>
  readonly wasmExports: { malloc(bytes: number): number; free(pointer: number): void }

  _FPDF_GetLastError(): number
  _FPDF_LoadMemDocument(at: number, size: number, password: number): number
  _FPDF_CloseDocument(document: number): void
  _FPDF_DocumentHasValidCrossReferenceTable(document: number): number
  _FPDF_GetSecurityHandlerRevision(document: number): number
  _FPDF_GetFormType(document: number): number
  _FPDFDoc_GetJavaScriptActionCount(document: number): number
  _FPDFDoc_GetAttachmentCount(document: number): number
  _FPDF_GetPageCount(document: number): number
  _FPDF_GetPageSizeByIndexF(document: number, page: number, size: number): number

  _FPDFBookmark_GetFirstChild(document: number, bookmark: number): number
  _FPDFBookmark_GetNextSibling(document: number, bookmark: number): number
  /** Writes UTF-16LE with a NUL if it fits; returns the number of bytes that it needs. */
  _FPDFBookmark_GetTitle(bookmark: number, buffer: number, bytes: number): number
  _FPDFBookmark_GetDest(document: number, bookmark: number): number
  _FPDFBookmark_GetAction(bookmark: number): number
  _FPDFAction_GetDest(document: number, action: number): number
  _FPDFDest_GetDestPageIndex(document: number, place: number): number

  _FPDF_LoadPage(document: number, index: number): number
  _FPDF_ClosePage(page: number): void
  _FPDFText_LoadPage(page: number): number
  _FPDFText_ClosePage(text: number): void
  _FPDFText_CountChars(text: number): number
  _FPDFText_GetUnicode(text: number, at: number): number
  _FPDFText_GetCharBox(text: number, at: number, ...leftRightBottomTop: number[]): number
  _FPDFText_GetCharOrigin(text: number, at: number, x: number, y: number): number
  /** The object that draws a character; 0 for one that PDFium has added. */
  _FPDFText_GetTextObject(text: number, at: number): number

  _FPDFPage_CountObjects(page: number): number
  _FPDFPage_GetObject(page: number, index: number): number
  _FPDFPageObj_GetType(object: number): number
  /** Whether an object is drawn; in drawings of their own as well. */
  _FPDFPageObj_SetIsActive(object: number, isActive: number): number
  _FPDFFormObj_CountObjects(form: number): number
  _FPDFFormObj_GetObject(form: number, index: number): number
  _FPDFTextObj_GetFont(object: number): number
  _FPDFTextObj_GetTextRenderMode(object: number): number
  _FPDFTextObj_GetText(object: number, text: number, buffer: number, bytes: number): number
  _FPDFFont_GetIsEmbedded(font: number): number
  _FPDFFont_GetBaseFontName(font: number, buffer: number, bytes: number): number

  _FPDFBitmap_CreateEx(width: number, height: number, ...formatBufferStride: number[]): number
  _FPDFBitmap_FillRect(bitmap: number, ...rectangleAndColor: number[]): void
  _FPDFBitmap_Destroy(bitmap: number): void
  _FPDF_RenderPageBitmap(bitmap: number, page: number, ...placeRotationFlags: number[]): void
  /** Writes the pixel (two 32-bit integers) of a point of the page. */
  _FPDF_PageToDevice(page: number, ...placeRotationPointAndResult: number[]): number
  _FPDF_FFLDraw(form: number, bitmap: number, page: number, ...placeRotationFlags: number[]): void
  _FORM_OnAfterLoadPage(page: number, form: number): void
  _FORM_OnBeforeClosePage(page: number, form: number): void
}

/** PDFium's numbers of the kinds of objects. */
export const OBJECTS = { text: 1, image: 3, form: 5 }

let opened: Promise<PDFiumLibrary> | undefined

/** The process's only instance of PDFium. */
export function openPdfium(): Promise<PDFiumLibrary> {
  opened ??= PDFiumLibrary.init()
  return opened
}

export const functionsOf = (library: PDFiumLibrary | PDFiumPage): Pdfium =>
  (library as unknown as { module: Pdfium }).module

export const handleOf = (document: PDFiumDocument): number =>
  (document as unknown as { documentIdx: number }).documentIdx

export const handleOfPage = (page: PDFiumPage): number =>
  (page as unknown as { pageIdx: number }).pageIdx

/** The result of `work`, which may use that many bytes of PDFium's memory from `at` on. */
export function withMemory<Result>(
  { wasmExports }: Pick<Pdfium, 'wasmExports'>,
  bytes: number,
  work: (at: number) => Result,
): Result {
  const at = wasmExports.malloc(bytes)
  if (at === 0) throw new RangeError(`PDFium has no ${bytes} bytes left`)
  try {
    return work(at)
  } finally {
    wasmExports.free(at)
  }
}
