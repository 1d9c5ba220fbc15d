import { readFile } from 'node:fs/promises'
import sharp, { type ResizeOptions, type Sharp } from 'sharp'
import type { ErrorCode } from '../../contract/errors.ts'
import {
  type CoverFormat,
  coverHeight,
  PICTURE_MAX_PIXELS,
  PORTRAIT_WIDTHS,
  type PortraitFormat,
} from '../../rules/pictures.ts'
import { RECEIPT_PHOTO_MAX_BYTES, RECEIPT_PHOTO_SIDE } from '../../rules/receipt-photos.ts'

// What is done with strangers' pictures, in a child process. Paths are absolute.

sharp.concurrency(1)

const ACCEPTED = new Set(['jpeg', 'png', 'webp'])

/** A stored cover fits into this width and the height of a book. */
const COVER_WIDTH = 1280

/** A stored portrait is a square of at most this side. */
const PORTRAIT_SIDE = Math.max(...PORTRAIT_WIDTHS)

/** For reading only the header, without decoding the picture. */
const NO_LIMIT = { limitInputPixels: false }

/** A picture in its stored form: upright, on white, as WebP. */
export interface NormalisedPicture {
  readonly bytes: Buffer
  /** In pixels. */
  readonly width: number
  readonly height: number
}

export type PictureFault = Extract<
  ErrorCode,
  'not_a_picture' | 'heic_picture' | 'picture_too_large'
>

export async function normaliseCover({
  path,
}: {
  path: string
}): Promise<NormalisedPicture | PictureFault> {
  return normalised(path, () => ({
    width: COVER_WIDTH,
    height: coverHeight(COVER_WIDTH),
    fit: 'inside',
    withoutEnlargement: true,
  }))
}

/** The most salient square of the picture. */
export async function normalisePortrait({
  path,
}: {
  path: string
}): Promise<NormalisedPicture | PictureFault> {
  return normalised(path, ({ width, height }) => {
    const side = Math.min(width, height, PORTRAIT_SIDE)
    return { width: side, height: side, fit: 'cover', position: sharp.strategy.attention }
  })
}

/**
 * How a photo of a receipt is drawn that is too large in the form before: its longer side in
 * pixels, and its quality. The last one is small enough whatever it shows.
 */
const SMALLER = [
  [RECEIPT_PHOTO_SIDE, 75],
  [RECEIPT_PHOTO_SIDE, 50],
  [1600, 50],
  [800, 40],
] as const

/** The whole photo, as large as its file may be. */
export async function normaliseReceipt({
  path,
}: {
  path: string
}): Promise<NormalisedPicture | PictureFault> {
  const inside = (side: number) =>
    ({ width: side, height: side, fit: 'inside', withoutEnlargement: true }) as const
  const whole = await normalised(path, () => inside(RECEIPT_PHOTO_SIDE))
  if (typeof whole === 'string') return whole
  let photo = whole
  for (const [side, quality] of SMALLER) {
    if (photo.bytes.byteLength <= RECEIPT_PHOTO_MAX_BYTES) break
    const smaller = sharp(whole.bytes).resize(inside(side)).webp({ quality })
    const { data, info } = await smaller.toBuffer({ resolveWithObject: true })
    photo = { bytes: data, width: info.width, height: info.height }
  }
  return photo
}

// The brands of HEIF (ISO 23008-12) with HEVC, and those that do not say how the picture is packed.
const HEIC_BRAND = /^ftyp(?:hei[cmsx]|hev[cmsx]|mif1|msf1)$/

/** As phones take photos. The decoder of sharp reads none: HEVC is patented. */
function isHeic(bytes: Buffer): boolean {
  return HEIC_BRAND.test(bytes.toString('latin1', 4, 12))
}

/** Draws the picture again, so that no location data and no embedded file stays in it. */
async function normalised(
  path: string,
  sizeOf: (original: { width: number; height: number }) => ResizeOptions,
): Promise<NormalisedPicture | PictureFault> {
  const bytes = await readFile(path)
  if (isHeic(bytes)) return 'heic_picture'
  try {
    const { format, width = 0, height = 0 } = await sharp(bytes, NO_LIMIT).metadata()
    if (!ACCEPTED.has(format ?? '')) return 'not_a_picture'
    if (width * height > PICTURE_MAX_PIXELS) return 'picture_too_large'
    const picture = sharp(bytes, { limitInputPixels: PICTURE_MAX_PIXELS, failOn: 'error' })
    const { data, info } = await picture
      .rotate()
      .flatten({ background: '#fff' })
      .resize(sizeOf({ width, height }))
      .webp({ quality: 90 })
      .toBuffer({ resolveWithObject: true })
    return { bytes: data, width: info.width, height: info.height }
  } catch {
    return 'not_a_picture'
  }
}

const ENCODERS: Readonly<Record<CoverFormat | PortraitFormat, (picture: Sharp) => Sharp>> = {
  avif: (picture) => picture.avif({ quality: 50, effort: 4 }),
  webp: (picture) => picture.webp({ quality: 78 }),
  jpeg: (picture) => picture.jpeg({ quality: 82 }),
}

/** In pixels. */
export async function drawPicture(wanted: {
  path: string
  width: number
  height: number
  format: CoverFormat | PortraitFormat
}): Promise<Uint8Array> {
  const { path, width, height, format } = wanted
  const picture = sharp(await readFile(path)).resize({ width, height, fit: 'cover' })
  return ENCODERS[format](picture).toBuffer()
}
