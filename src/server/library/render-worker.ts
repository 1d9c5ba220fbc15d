import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import {
  type PDFiumDocument,
  PDFiumLibrary,
  type PDFiumPage,
  type PDFiumPageRenderFunction,
} from '@hyzyla/pdfium'
import sharp from 'sharp'
import { lowerThread } from '../low-priority.ts'
import { checkPdf } from './check-pdf.ts'
import type { Answer, Job, PageSize } from './renderer.ts'

/** The width of a page's picture in pixels. */
const WIDTH = 900

/** A page longer than this many times its width is cut to that shape, so as not to fill the memory. */
const LONGEST = 4

/** The sizes in pixels of the first `most` pages; PDFium measures them in points (1/72 inch). */
async function sizes(document: PDFiumDocument, most: number): Promise<PageSize[]> {
  const count = Math.min(document.getPageCount(), most)
  return Array.from({ length: count }, (_, at) => {
    const { originalWidth, originalHeight } = document.getPage(at).getOriginalSize()
    return pictureSize(originalWidth, originalHeight)
  })
}

function pictureSize(width: number, height: number): PageSize {
  const shape = Math.min(Math.max(height / width || 1, 1 / LONGEST), LONGEST)
  return { width: WIDTH, height: Math.round(WIDTH * shape) }
}

async function picture(document: PDFiumDocument, page: number): Promise<Uint8Array> {
  if (page < 1 || page > document.getPageCount()) throw new RangeError('no such page')
  return await draw(document.getPage(page - 1), ({ data, width, height }) =>
    sharp(data, { raw: { width, height, channels: 4 } })
      .removeAlpha()
      .webp({ quality: 70 })
      .toBuffer(),
  )
}

/** Draws the first page for a check, which needs no picture of it. */
async function drawFirst(document: PDFiumDocument): Promise<void> {
  await draw(document.getPage(0), 'bitmap')
}

async function draw(page: PDFiumPage, render: PDFiumPageRenderFunction): Promise<Uint8Array> {
  const { originalWidth, originalHeight } = page.getOriginalSize()
  const { data } = await page.render({ ...pictureSize(originalWidth, originalHeight), render })
  return data
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

// One WebAssembly instance, and one thread for pictures: this is background work.
sharp.concurrency(1)
const library = PDFiumLibrary.init()

async function answer(job: Job): Promise<Answer> {
  if (job.kind === 'check') {
    const found = await checkPdf(await library, job.path, drawFirst)
    return typeof found === 'string'
      ? { kind: 'check', fault: found }
      : { kind: 'check', fault: null, ...found }
  }
  const document = await (await library).loadDocument(await readFile(job.path))
  try {
    return job.kind === 'sizes'
      ? { kind: 'sizes', sizes: await sizes(document, job.most) }
      : { kind: 'picture', bytes: await picture(document, job.page) }
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
