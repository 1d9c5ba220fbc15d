import type { PDFiumDocument, PDFiumPage } from '@hyzyla/pdfium'
import sharp, { type Sharp } from 'sharp'
import { PAGE_WIDTH } from '../../../rules/reading.ts'
import { drawText } from '../../drawing/drawing.ts'
import { functionsOf, handleOfPage, withMemory } from '../safety/pdfium.ts'

/** The size of a page's picture, in pixels. */
export interface PageSize {
  readonly width: number
  readonly height: number
}

export interface PictureLook {
  /** In pixels. */
  readonly width: number
  readonly format: 'webp' | 'avif'
  /** A text that is repeated, faintly and diagonally, all over the picture. */
  readonly watermark?: string
  /** The largest size of the picture in bytes: its quality is lowered until it fits. */
  readonly maxBytes?: number
}

/** A page longer than this many times its width is drawn only in part, to save memory. */
const LONGEST = 4

/** How PDFium draws: with comments (1), smooth letters (2), and red before blue (16). */
const RENDERING = { page: 1 | 2 | 16, form: 2 | 16 }
/** The number of PDFium's bitmaps with four bytes a pixel. */
const FOUR_BYTES = 4
const WHITE = 0xffffffff

/** The quality of a picture, and lower ones that are tried if its size in bytes is limited. */
const QUALITIES = {
  webp: [70, 55, 40, 28, 16, 6],
  avif: [52, 42, 32, 24, 16, 8],
}

/** Proportions of a picture's width; the text is readable and does not obscure the page. */
const WATERMARK = {
  size: 1 / 17,
  gap: 1 / 5,
  angle: -32,
  /** The dark text is visible on white paper, the light one on pictures. */
  colors: {
    dark: { color: '#2440a8', opacity: 0.13 },
    light: { color: '#ffffff', opacity: 0.12 },
  },
}

const NOTHING = { r: 0, g: 0, b: 0, alpha: 0 }

export function pictureSize(page: PDFiumPage, width: number = PAGE_WIDTH): PageSize {
  const height = wholeHeight(page, width)
  return { width, height: Math.min(height, LONGEST * width) }
}

/** How high a page of this width is, in pixels; PDFium measures pages in points (1/72 inch). */
function wholeHeight(page: PDFiumPage, width: number): number {
  const { originalWidth, originalHeight } = page.getOriginalSize()
  return Math.max(1, Math.round((width * originalHeight) / originalWidth || width))
}

type Drawn = PageSize & { data: Buffer }

/** The pixels of a page, which it closes. */
export function pixelsOf(page: PDFiumPage, width: number = PAGE_WIDTH): Drawn {
  const pixels = drawnOnce(page, width)
  functionsOf(page)._FPDF_ClosePage(handleOfPage(page))
  return pixels
}

/** The pixels with what was written into forms. PDFium's wrapper would squeeze long pages. */
export function drawnOnce(page: PDFiumPage, width: number = PAGE_WIDTH): Drawn {
  const pdfium = functionsOf(page)
  const handle = handleOfPage(page)
  const { document } = page as unknown as { document: PDFiumDocument }
  const size = pictureSize(page, width)
  const place = placeOf(page, width)
  const form = document.initializeFormFields()
  const row = width * FOUR_BYTES
  const bytes = row * size.height
  return withMemory(pdfium, bytes, (pixels) => {
    pdfium._FORM_OnAfterLoadPage(handle, form)
    const bitmap = pdfium._FPDFBitmap_CreateEx(width, size.height, FOUR_BYTES, pixels, row)
    pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, size.height, WHITE)
    pdfium._FPDF_RenderPageBitmap(bitmap, handle, ...place, RENDERING.page)
    pdfium._FPDF_FFLDraw(form, bitmap, handle, ...place, RENDERING.form)
    pdfium._FPDFBitmap_Destroy(bitmap)
    pdfium._FORM_OnBeforeClosePage(handle, form)
    return { ...size, data: Buffer.from(pdfium.HEAPU8.slice(pixels, pixels + bytes)) }
  })
}

/** Where PDFium draws a page in a picture of this width: left, top, width, height, rotation. */
const placeOf = (page: PDFiumPage, width: number) => [0, 0, width, wholeHeight(page, width), 0]

/** The x and y, in pixels of a picture of a page, of a point of the page. */
type ToPixels = (x: number, y: number) => readonly [x: number, y: number]

/** Parts of a pixel to which PDFium, which counts whole ones, is asked for a place. */
const FINENESS = 100
/** Points, so far from each other that rounding changes nothing. */
const FAR = 1000

export function toPixels(page: PDFiumPage, width: number = PAGE_WIDTH): ToPixels {
  const pdfium = functionsOf(page)
  const place = placeOf(page, width).map((each) => each * FINENESS)
  return withMemory(pdfium, 8, (at) => {
    const pixelAt = (x: number, y: number) => {
      pdfium._FPDF_PageToDevice(handleOfPage(page), ...place, x, y, at, at + 4)
      const [left = 0, top = 0] = new Int32Array(pdfium.HEAPU8.buffer, at, 2)
      return [left / FINENESS, top / FINENESS] as const
    }
    const [x0, y0] = pixelAt(0, 0)
    const [across, up] = [pixelAt(FAR, 0), pixelAt(0, FAR)]
    const step = [across[0] - x0, across[1] - y0, up[0] - x0, up[1] - y0].map((n) => n / FAR)
    const [rightX = 0, rightY = 0, upX = 0, upY = 0] = step
    return (x, y) => [x0 + x * rightX + y * upX, y0 + x * rightY + y * upY]
  })
}

/** Draws a page, in at most `maxBytes` bytes if given, even if the page is then hardly readable. */
export async function drawPage(page: PDFiumPage, look: PictureLook): Promise<Uint8Array> {
  const { width, format, watermark, maxBytes = Number.POSITIVE_INFINITY } = look
  const { data: pixels, ...size } = pixelsOf(page, width)
  const raw = { width: size.width, height: size.height, channels: 4 as const }
  const plain = () => sharp(pixels, { raw }).removeAlpha()
  const drawn = watermark
    ? await plain()
        .composite([{ input: await tileOf(watermark, size), tile: true }])
        .removeAlpha()
        .raw()
        .toBuffer()
    : null
  const picture = () => (drawn ? sharp(drawn, { raw: { ...raw, channels: 3 } }) : plain())

  for (const quality of QUALITIES[format]) {
    const bytes = await encoded(picture(), format, quality)
    if (bytes.length <= maxBytes) return bytes
  }
  for (let blur = 2; ; blur *= 2) {
    const bytes = await encoded(picture().blur(blur), format, QUALITIES[format].at(-1) ?? 1)
    if (bytes.length <= maxBytes || blur > width) return bytes
  }
}

const encoded = (picture: Sharp, format: PictureLook['format'], quality: number) =>
  (format === 'webp' ? picture.webp({ quality }) : picture.avif({ quality, effort: 3 })).toBuffer()

/** The diagonal text with space around it, to be repeated all over a picture. */
async function tileOf(text: string, { width, height }: PageSize): Promise<Buffer> {
  const { size, gap, angle } = WATERMARK
  const { dark, light } = WATERMARK.colors
  const pixels = Math.round(width * size)
  const [onLight, onDark] = await Promise.all([
    faint(text, pixels, dark),
    faint(text, pixels, light),
  ])
  const room = Math.round((width * gap) / 2)
  const both = await sharp(onDark)
    .extend({ top: 2, bottom: 0, left: 2, right: 0, background: NOTHING })
    .composite([{ input: onLight, left: 0, top: 0 }])
    .png()
    .toBuffer()
  const rotated = await sharp(both).rotate(angle, { background: NOTHING }).png().toBuffer()
  const spaced = await sharp(rotated)
    .extend({ top: room, bottom: room, left: room, right: room, background: NOTHING })
    .png()
    .toBuffer()
  // A tile must not be larger than the picture that it covers.
  return sharp(spaced)
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer()
}

async function faint(
  text: string,
  size: number,
  { color, opacity }: { color: string; opacity: number },
): Promise<Buffer> {
  const { data } = await drawText(text, { size, color })
  const input = Buffer.from([0, 0, 0, Math.round(255 * opacity)])
  const raw = { width: 1, height: 1, channels: 4 as const }
  return sharp(data)
    .ensureAlpha(1)
    .composite([{ input, raw, tile: true, blend: 'dest-in' }])
    .png()
    .toBuffer()
}
