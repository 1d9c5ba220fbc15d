import { open } from 'node:fs/promises'
import type { PDFiumLibrary } from '@hyzyla/pdfium'
import { stampText, type UnstampableReason } from '../../../rules/stamp.ts'
import { blankTail } from './blank-tail.ts'
import { checkTail, type Pdfium } from './check-tail.ts'
import { writeFooter } from './footer.ts'
import { Unstampable } from './unstampable.ts'

/** The most bytes that footers may add to a file. */
const TAIL_MAX_BYTES = 4 * 1024 ** 2

/** An example of a footer's text, for the check. */
const SAMPLE = stampText('Shop', 123456, 'parent@shop.example')

/** A blank tail, or the reason why the file does not get one. */
export type MadeTail =
  | { readonly tail: Uint8Array; readonly reason: null }
  | { readonly reason: UnstampableReason; readonly detail: string }

/**
 * Makes the blank tail of the PDF at `path` and checks that the file still opens and reads as
 * before with it; otherwise returns the reason. Only PDFium's memory holds the file.
 */
export async function makeTail(library: PDFiumLibrary, path: string): Promise<MadeTail> {
  const { module: pdfium } = library as unknown as { module: Pdfium }
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const at = pdfium.wasmExports.malloc(size + TAIL_MAX_BYTES)
    try {
      await file.read(pdfium.HEAPU8, at, size, 0)
      const { bytes: tail, places } = await blankTail(pdfium.HEAPU8.subarray(at, at + size))
      if (tail.length > TAIL_MAX_BYTES) {
        throw new Unstampable('too_large', `${tail.length} bytes for ${places.length} pages`)
      }
      pdfium.HEAPU8.set(writeFooter(tail, SAMPLE), at + size)
      checkTail(pdfium, { at, size, stampedSize: size + tail.length, places, text: SAMPLE })
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
