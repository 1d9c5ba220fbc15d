/** An entry of a PDF's own table of contents. */
export interface OutlineEntry {
  readonly title: string
  /** Counted from 1. */
  readonly page: number
  /** Counted from 0. */
  readonly depth: number
}

/**
 * Functions of PDFium that the library does not wrap; documents, bookmarks and places are handles.
 */
export interface PdfiumOutline {
  readonly HEAPU8: Uint8Array
  readonly wasmExports: { malloc(bytes: number): number; free(pointer: number): void }
  _FPDFBookmark_GetFirstChild(document: number, bookmark: number): number
  _FPDFBookmark_GetNextSibling(document: number, bookmark: number): number
  /** Writes UTF-16LE with a NUL if it fits; returns the number of bytes that it needs. */
  _FPDFBookmark_GetTitle(bookmark: number, buffer: number, bytes: number): number
  _FPDFBookmark_GetDest(document: number, bookmark: number): number
  _FPDFBookmark_GetAction(bookmark: number): number
  _FPDFAction_GetDest(document: number, action: number): number
  _FPDFDest_GetDestPageIndex(document: number, place: number): number
}

/**
 * Limits of the table of contents: further entries, deeper ones and the rest of long titles are
 * left out.
 */
const ENTRIES_MAX = 500
const DEPTH_MAX = 3
const TITLE_MAX_LENGTH = 200

/** How many bookmarks are visited: some lead nowhere or form a cycle, and are not entries. */
const BOOKMARKS_MAX = 5_000

/** How many bytes of a title are read. */
const TITLE_MAX_BYTES = 64 * 1024

/** The table of contents of a PDF, in order. */
export function outlineOf(pdfium: PdfiumOutline, document: number, pages: number): OutlineEntry[] {
  const entries: OutlineEntry[] = []
  const seen = new Set<number>()

  const read = (parent: number, depth: number) => {
    let bookmark = pdfium._FPDFBookmark_GetFirstChild(document, parent)
    for (; bookmark; bookmark = pdfium._FPDFBookmark_GetNextSibling(document, bookmark)) {
      if (seen.has(bookmark) || seen.size >= BOOKMARKS_MAX || entries.length >= ENTRIES_MAX) return
      seen.add(bookmark)
      const title = titleOf(pdfium, bookmark)
      const page = pageOf(pdfium, document, bookmark)
      const isEntry = title !== '' && page >= 1 && page <= pages
      if (isEntry) entries.push({ title, page, depth })
      if (depth < DEPTH_MAX) read(bookmark, isEntry ? depth + 1 : depth)
    }
  }
  read(0, 0)
  return entries
}

/** The page that a bookmark leads to, from 1; 0 if it leads to no page. */
function pageOf(pdfium: PdfiumOutline, document: number, bookmark: number): number {
  const direct = pdfium._FPDFBookmark_GetDest(document, bookmark)
  const action = direct ? 0 : pdfium._FPDFBookmark_GetAction(bookmark)
  const place = action ? pdfium._FPDFAction_GetDest(document, action) : direct
  return place ? pdfium._FPDFDest_GetDestPageIndex(document, place) + 1 : 0
}

function titleOf(pdfium: PdfiumOutline, bookmark: number): string {
  const bytes = pdfium._FPDFBookmark_GetTitle(bookmark, 0, 0)
  if (bytes <= 2 || bytes > TITLE_MAX_BYTES) return ''
  const buffer = pdfium.wasmExports.malloc(bytes)
  try {
    pdfium._FPDFBookmark_GetTitle(bookmark, buffer, bytes)
    const text = new TextDecoder('utf-16le').decode(pdfium.HEAPU8.slice(buffer, buffer + bytes - 2))
    const plain = text.replace(/[\p{C}\s]+/gu, ' ').trim()
    return [...plain].slice(0, TITLE_MAX_LENGTH).join('')
  } finally {
    pdfium.wasmExports.free(buffer)
  }
}
