import sharp, { type ResizeOptions } from 'sharp'
import { coverHeight } from '../../rules/cover.ts'
import { PORTRAIT_WIDTHS } from '../../rules/portrait.ts'

/** The formats of uploaded pictures, by sharp's names. */
const ACCEPTED = new Set(['jpeg', 'png', 'webp'])

/** In pixels; refuses pictures whose files are small but which need much memory. */
const PIXELS_MAX = 60_000_000

/** A stored cover fits into this width and the height of a book. */
const COVER_WIDTH = 1280

/** A stored portrait is a square of at most this side. */
const PORTRAIT_SIDE = Math.max(...PORTRAIT_WIDTHS)

/** The bytes are not a picture, or not one that can be shown. */
export class BadPicture extends Error {
  /** Whether the picture has more pixels than `PIXELS_MAX`. */
  readonly isTooLarge: boolean

  constructor(message: string, options: ErrorOptions & { isTooLarge?: boolean } = {}) {
    super(message, options)
    this.isTooLarge = options.isTooLarge ?? false
  }
}

/** For reading only the header, without decoding the picture. */
const NO_LIMIT = { limitInputPixels: false }

/** A picture in its stored form: upright, on white, as WebP. */
export interface NormalisedPicture {
  readonly bytes: Buffer
  /** In pixels. */
  readonly width: number
  readonly height: number
}

/** A cover in the form in which it is stored; throws `BadPicture`. */
export function normaliseCover(bytes: Uint8Array): Promise<NormalisedPicture> {
  return normalised(bytes, () => ({
    width: COVER_WIDTH,
    height: coverHeight(COVER_WIDTH),
    fit: 'inside',
    withoutEnlargement: true,
  }))
}

/**
 * A portrait in the form in which it is stored: the most salient square of the picture; throws
 * `BadPicture`.
 */
export function normalisePortrait(bytes: Uint8Array): Promise<NormalisedPicture> {
  return normalised(bytes, ({ width, height }) => {
    const side = Math.min(width, height, PORTRAIT_SIDE)
    return { width: side, height: side, fit: 'cover', position: sharp.strategy.attention }
  })
}

/**
 * Reads a picture and draws it again, in the size that `sizeOf` derives from its original size. The
 * result contains no location data and no embedded file.
 */
async function normalised(
  bytes: Uint8Array,
  sizeOf: (original: { width: number; height: number }) => ResizeOptions,
): Promise<NormalisedPicture> {
  try {
    const { format, width = 0, height = 0 } = await sharp(bytes, NO_LIMIT).metadata()
    if (!ACCEPTED.has(format ?? '')) throw new BadPicture(`${format} is no format of a picture`)
    if (width * height > PIXELS_MAX) throw new BadPicture('too many pixels', { isTooLarge: true })
    const picture = sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error' })
    const { data, info } = await picture
      .rotate()
      .flatten({ background: '#fff' })
      .resize(sizeOf({ width, height }))
      .webp({ quality: 90 })
      .toBuffer({ resolveWithObject: true })
    return { bytes: data, width: info.width, height: info.height }
  } catch (error) {
    if (error instanceof BadPicture) throw error
    throw new BadPicture('not a picture that can be read', { cause: error })
  }
}
