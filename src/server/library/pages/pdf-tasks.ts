import { readFile } from 'node:fs/promises'
import { type PDFiumDocument, PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium'
import sharp from 'sharp'
import type { Find } from '../../../contract/reading.ts'
import { FINDS_MAX, finderOf } from '../../../rules/find-in-text.ts'
import type { MadeTail } from '../tails/make-tail.ts'
import { type CheckedPdf, checkPdf, type PdfFault } from './check-pdf.ts'
import { drawPage, type PageSize, type PictureLook, pictureSize, pixelsOf } from './draw-page.ts'
import { type OutlineEntry, outlineOf, type PdfiumOutline } from './outline.ts'
import { hasWords, type PdfiumText, textOfPage } from './page-text.ts'

// What is done with strangers' PDFs, in a child process: one task at a time. Paths are absolute.

/** A page by its number from 1: the size of its picture, and its text in reading order. */
export interface ReadPage extends PageSize {
  readonly page: number
  readonly text: string
}

// One thread for pictures, beside the single WebAssembly instance.
sharp.concurrency(1)
let opened: Promise<PDFiumLibrary> | undefined

function pdfium(): Promise<PDFiumLibrary> {
  opened ??= PDFiumLibrary.init()
  return opened
}

/** PDFium itself, for functions that the library does not wrap. */
async function functions() {
  return ((await pdfium()) as unknown as { module: PdfiumText & PdfiumOutline }).module
}

async function within<T>(
  path: string,
  work: (document: PDFiumDocument) => T | Promise<T>,
): Promise<T> {
  const document = await (await pdfium()).loadDocument(await readFile(path))
  try {
    return await work(document)
  } finally {
    document.destroy()
  }
}

/** Checks whether a file is a PDF that the shop accepts, which includes drawing its first page. */
export async function checkDocument({ path }: { path: string }): Promise<CheckedPdf | PdfFault> {
  return checkPdf(await pdfium(), path, (document) => pixelsOf(document.getPage(0)))
}

/** The sizes of the first `most` pages' pictures. */
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

/** The texts of `most` pages from the index `from`, '' for a page without text, as JSON. */
export async function pageTexts(input: {
  path: string
  from: number
  most: number
}): Promise<Uint8Array> {
  const module = await functions()
  return within(input.path, (document) => {
    const texts = some(document, input.from, input.most).map((page) => textOf(page, module))
    return Buffer.from(JSON.stringify(texts))
  })
}

/** The existing pages among these, counted from 1. */
export async function readPages(input: {
  path: string
  pages: readonly number[]
}): Promise<ReadPage[]> {
  const module = await functions()
  return within(input.path, (document) =>
    input.pages
      .filter((page) => page >= 1 && page <= document.getPageCount())
      .map((page) => {
        const found = document.getPage(page - 1)
        return { page, ...pictureSize(found), text: textOf(found, module) }
      }),
  )
}

/** The PDF's own table of contents. */
export async function outline({ path }: { path: string }): Promise<OutlineEntry[]> {
  const module = await functions()
  return within(path, (document) => {
    const { documentIdx } = document as unknown as { documentIdx: number }
    return outlineOf(module, documentIdx, document.getPageCount())
  })
}

/** The bytes to append to a PDF for a footer on each page. */
export async function blankFooters({ path }: { path: string }): Promise<MadeTail> {
  // Its parser takes long to load, and most processes stamp nothing.
  const { makeTail } = await import('../tails/make-tail.ts')
  return makeTail(await pdfium(), path)
}

/**
 * Searches the texts of a document, in files that `pageTexts` made, for at most `FINDS_MAX`
 * matches. Each file has the texts of `pagesPerFile` pages.
 */
export async function findInTexts(input: {
  paths: readonly string[]
  pagesPerFile: number
  wanted: string
}): Promise<{ hasText: boolean; finds: Find[]; hasMore: boolean }> {
  const find = finderOf(input.wanted)
  const finds: Find[] = []
  let hasText = false
  for (const [file, path] of input.paths.entries()) {
    const texts: string[] = JSON.parse(String(await readFile(path)))
    for (const [at, text] of texts.entries()) {
      hasText ||= hasWords(text)
      const page = file * input.pagesPerFile + at + 1
      if (finds.length <= FINDS_MAX)
        finds.push(...(find?.(text) ?? []).map((one) => ({ page, ...one })))
    }
  }
  return { hasText, finds: finds.slice(0, FINDS_MAX), hasMore: finds.length > FINDS_MAX }
}

function textOf(page: PDFiumPage, module: PdfiumText): string {
  const { pageIdx } = page as unknown as { pageIdx: number }
  return textOfPage(module, pageIdx)
}

function some(document: PDFiumDocument, from: number, most: number): PDFiumPage[] {
  const count = Math.max(0, Math.min(document.getPageCount() - from, most))
  return Array.from({ length: count }, (_, at) => document.getPage(from + at))
}
