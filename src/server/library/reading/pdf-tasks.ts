import { readFile } from 'node:fs/promises'
import type { PDFiumDocument, PDFiumPage } from '@hyzyla/pdfium'
import sharp from 'sharp'
import type { Find } from '../../../contract/reading.ts'
import { FINDS_MAX, finderOf } from '../../../rules/find-in-text.ts'
import { type PageLikeness, pageLikeness } from '../../../rules/likeness.ts'
import { type CheckedPdf, checkPdf, type PdfFault } from '../safety/check-pdf.ts'
import {
  functionsOf,
  handleOf,
  handleOfPage,
  openPdfium,
  type Pdfium,
  withMemory,
} from '../safety/pdfium.ts'
import { drawPage, type PageSize, type PictureLook, pictureSize, pixelsOf } from './draw-page.ts'
import { hasWords, type PageText, textOfPage, visibleTextOf } from './page-text.ts'

// What is done with strangers' PDFs, in a child process: one task at a time. Paths are absolute.

// One thread for pictures, beside the single WebAssembly instance.
sharp.concurrency(1)

async function within<T>(
  path: string,
  work: (document: PDFiumDocument) => T | Promise<T>,
): Promise<T> {
  const document = await (await openPdfium()).loadDocument(await readFile(path))
  try {
    return await work(document)
  } finally {
    document.destroy()
  }
}

/** Checks whether a file is a PDF that the shop accepts, which includes drawing its first page. */
export async function checkDocument({ path }: { path: string }): Promise<CheckedPdf | PdfFault> {
  return checkPdf(await openPdfium(), path, (document) => pixelsOf(document.getPage(0)))
}

export async function pageSizes(input: { path: string; most: number }): Promise<PageSize[]> {
  return within(input.path, (document) =>
    some(document, 0, input.most).map((page) => pictureSize(page)),
  )
}

/** The picture of a page, counted from 1. */
export async function pagePicture({
  path,
  page,
  ...look
}: { path: string; page: number } & PictureLook): Promise<Uint8Array> {
  return within(path, (document) => {
    if (page < 1 || page > document.getPageCount()) throw new RangeError('no such page')
    return drawPage(document.getPage(page - 1), look)
  })
}

/** The texts of `most` pages from the index `from` (`PageText`), as JSON. */
export async function pageTexts(input: {
  path: string
  from: number
  most: number
}): Promise<Uint8Array> {
  return within(input.path, (document) => {
    const texts = some(document, input.from, input.most).map(visibleTextOf)
    return Buffer.from(JSON.stringify(texts))
  })
}

/** Enough pixels for what `pageLikeness` sees, and few to draw. */
const LIKENESS_WIDTH = 320

/** The likeness of `most` pages from the index `from`. */
export async function pageLikenesses(input: {
  path: string
  from: number
  most: number
}): Promise<PageLikeness[]> {
  return within(input.path, (document) =>
    some(document, input.from, input.most).map((page) =>
      pageLikeness(
        textOfPage(functionsOf(page), handleOfPage(page)),
        pixelsOf(page, LIKENESS_WIDTH),
      ),
    ),
  )
}

export async function outline({ path }: { path: string }): Promise<OutlineEntry[]> {
  const pdfium = functionsOf(await openPdfium())
  return within(path, (document) => outlineOf(pdfium, handleOf(document), document.getPageCount()))
}

/** Searches files that `pageTexts` made, each with the texts of `pagesPerFile` pages. */
export async function findInTexts(input: {
  paths: readonly string[]
  pagesPerFile: number
  wanted: string
}): Promise<{ hasText: boolean; finds: Find[]; hasMore: boolean }> {
  const find = finderOf(input.wanted)
  const finds: Find[] = []
  let hasText = false
  for (const [file, path] of input.paths.entries()) {
    const texts: PageText[] = JSON.parse(String(await readFile(path)))
    for (const [at, { found: text }] of texts.entries()) {
      hasText ||= hasWords(text)
      const page = file * input.pagesPerFile + at + 1
      if (finds.length <= FINDS_MAX)
        finds.push(...(find?.(text) ?? []).map((one) => ({ page, ...one })))
    }
  }
  return { hasText, finds: finds.slice(0, FINDS_MAX), hasMore: finds.length > FINDS_MAX }
}

function some(document: PDFiumDocument, from: number, most: number): PDFiumPage[] {
  const count = Math.max(0, Math.min(document.getPageCount() - from, most))
  return Array.from({ length: count }, (_, at) => document.getPage(from + at))
}

/** An entry of a PDF's own table of contents. */
export interface OutlineEntry {
  readonly title: string
  /** Counted from 1. */
  readonly page: number
  /** Counted from 0. */
  readonly depth: number
}

/** Limits of the table of contents; what is beyond them is left out. */
const ENTRIES_MAX = 500
const DEPTH_MAX = 3
const TITLE_MAX_LENGTH = 200

/** How many bookmarks are visited: some lead nowhere or form a cycle, and are not entries. */
const BOOKMARKS_MAX = 5_000

const TITLE_MAX_BYTES = 64 * 1024

function outlineOf(pdfium: Pdfium, document: number, pages: number): OutlineEntry[] {
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
function pageOf(pdfium: Pdfium, document: number, bookmark: number): number {
  const direct = pdfium._FPDFBookmark_GetDest(document, bookmark)
  const action = direct ? 0 : pdfium._FPDFBookmark_GetAction(bookmark)
  const place = action ? pdfium._FPDFAction_GetDest(document, action) : direct
  return place ? pdfium._FPDFDest_GetDestPageIndex(document, place) + 1 : 0
}

function titleOf(pdfium: Pdfium, bookmark: number): string {
  const bytes = pdfium._FPDFBookmark_GetTitle(bookmark, 0, 0)
  if (bytes <= 2 || bytes > TITLE_MAX_BYTES) return ''
  return withMemory(pdfium, bytes, (buffer) => {
    pdfium._FPDFBookmark_GetTitle(bookmark, buffer, bytes)
    const text = new TextDecoder('utf-16le').decode(pdfium.HEAPU8.slice(buffer, buffer + bytes - 2))
    const plain = text.replace(/[\p{C}\s]+/gu, ' ').trim()
    return [...plain].slice(0, TITLE_MAX_LENGTH).join('')
  })
}
