import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { type PDFiumDocument, PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium'
import sharp from 'sharp'
import { lowerThread } from '../../concurrency/low-priority.ts'
import { checkPdf } from './check-pdf.ts'
import { drawPage, pictureSize } from './draw-page.ts'
import { type OutlineEntry, outlineOf, type PdfiumOutline } from './outline.ts'
import { type PdfiumText, textOfPage } from './page-text.ts'
import type { Answer, Job, PageSize, PictureLook, ReadPage } from './renderer.ts'

/** The sizes in pixels of the first `most` pages. */
function sizes(document: PDFiumDocument, most: number): PageSize[] {
  return some(document, 0, most).map((page) => pictureSize(page))
}

function textOf(page: PDFiumPage, pdfium: PdfiumText): string {
  const { pageIdx } = page as unknown as { pageIdx: number }
  return textOfPage(pdfium, pageIdx)
}

/** The sizes and texts of the pages with these numbers, from 1. */
function read(document: PDFiumDocument, pdfium: PdfiumText, pages: readonly number[]): ReadPage[] {
  return pages
    .filter((page) => page >= 1 && page <= document.getPageCount())
    .map((page) => {
      const found = document.getPage(page - 1)
      return { page, ...pictureSize(found), text: textOf(found, pdfium) }
    })
}

/** The text of each of these pages. */
function texts(
  document: PDFiumDocument,
  pdfium: PdfiumText,
  { from, most }: { from: number; most: number },
): string[] {
  return some(document, from, most).map((page) => textOf(page, pdfium))
}

function some(document: PDFiumDocument, from: number, most: number): PDFiumPage[] {
  const count = Math.max(0, Math.min(document.getPageCount() - from, most))
  return Array.from({ length: count }, (_, at) => document.getPage(from + at))
}

function outline(document: PDFiumDocument, pdfium: PdfiumOutline): OutlineEntry[] {
  const { documentIdx } = document as unknown as { documentIdx: number }
  return outlineOf(pdfium, documentIdx, document.getPageCount())
}

async function picture(
  document: PDFiumDocument,
  page: number,
  look: PictureLook,
): Promise<Uint8Array> {
  if (page < 1 || page > document.getPageCount()) throw new RangeError('no such page')
  return drawPage(document.getPage(page - 1), look)
}

/** Draws the first page as a check; the picture is not used. */
async function drawFirst(document: PDFiumDocument): Promise<void> {
  const page = document.getPage(0)
  await page.render({ ...pictureSize(page), render: 'bitmap' })
}

// A PDF that unpacks without end fails at this size; whole files are read into this memory.
const MEMORY_MAX_BYTES = 768 * 1024 ** 2
const WASM_PAGE_BYTES = 64 * 1024
let isExhausted = false
const { grow } = WebAssembly.Memory.prototype
WebAssembly.Memory.prototype.grow = function growWithin(pages) {
  if (this.buffer.byteLength + pages * WASM_PAGE_BYTES > MEMORY_MAX_BYTES) {
    isExhausted = true
    throw new RangeError('the PDF takes too much memory')
  }
  return grow.call(this, pages)
}

if (workerData.isBehind) lowerThread()

// One thread for pictures, beside the single WebAssembly instance: this is background work.
sharp.concurrency(1)
const library = PDFiumLibrary.init()

/** PDFium itself, for functions that the library does not wrap. */
async function pdfium() {
  return ((await library) as unknown as { module: PdfiumText & PdfiumOutline }).module
}

async function answer(job: Job): Promise<Answer> {
  if (job.kind === 'check') {
    const found = await checkPdf(await library, job.path, drawFirst)
    return typeof found === 'string'
      ? { kind: 'check', fault: found }
      : { kind: 'check', fault: null, ...found }
  }
  if (job.kind === 'stamp') {
    // Loaded only when files are stamped.
    const { makeTail } = await import('../tails/make-tail.ts')
    return { kind: 'stamp', ...(await makeTail(await library, job.path)) }
  }
  const document = await (await library).loadDocument(await readFile(job.path))
  try {
    switch (job.kind) {
      case 'sizes':
        return { kind: 'sizes', sizes: sizes(document, job.most) }
      case 'texts':
        return { kind: 'texts', texts: texts(document, await pdfium(), job) }
      case 'outline':
        return { kind: 'outline', entries: outline(document, await pdfium()) }
      case 'read':
        return { kind: 'read', pages: read(document, await pdfium(), job.pages) }
      case 'picture':
        return { kind: 'picture', bytes: await picture(document, job.page, job) }
    }
  } finally {
    document.destroy()
  }
}

parentPort?.on('message', async (job: Job) => {
  const result = await answer(job).catch((error: unknown): Answer => {
    return {
      kind: 'failed',
      isExhausted,
      reason: error instanceof Error ? error.message : String(error),
    }
  })
  parentPort?.postMessage(result)
})
