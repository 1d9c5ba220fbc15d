import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { type CoverFormat, type CoverWidth, coverHeight } from '../../rules/cover.ts'
import { keyOf, type Storage } from '../files/files.ts'
import { keptFile } from './kept-files.ts'

/** What a cover may be uploaded as, by sharp's names. */
const ACCEPTED = new Set(['jpeg', 'png', 'webp'])

/** Pixels; a picture that is small as a file and huge in memory is refused. */
const PIXELS_MAX = 60_000_000

/** The stored picture fits into this width and the height of a book. */
const STORED_WIDTH = 1280

/** Bytes that are no picture, or none that can be a cover. */
export class BadCover extends Error {
  /** It has more pixels than `PIXELS_MAX`. */
  readonly isTooLarge: boolean

  constructor(message: string, options: ErrorOptions & { isTooLarge?: boolean } = {}) {
    super(message, options)
    this.isTooLarge = options.isTooLarge ?? false
  }
}

/**
 * The covers that were uploaded. `covers/` of a data directory (absolute) keeps them in the sizes of
 * `COVER_WIDTHS`.
 */
export function coversIn({ dataDir, files }: { dataDir: string; files: Storage }) {
  // One after the other: a page's worth of new covers must not take the machine from everybody.
  let turn: Promise<unknown> = Promise.resolve()

  async function make(sha256: string, width: number, format: CoverFormat) {
    const stored = await files.read(keyOf(sha256, 'webp'))
    if (!stored) return null
    const original = await buffer(stored)
    const cut = sharp(original).resize({ width, height: coverHeight(width), fit: 'cover' })
    return (
      format === 'avif' ? cut.avif({ quality: 50, effort: 4 }) : cut.webp({ quality: 78 })
    ).toBuffer()
  }

  return {
    /** A stored cover in one size and format; null where there is none. */
    picture(sha256: string, width: CoverWidth, format: CoverFormat): Promise<Buffer | null> {
      return keptFile(join(dataDir, 'covers', sha256, `${width}.${format}`), () => {
        const made = turn.then(() => make(sha256, width, format))
        turn = made.catch(() => {})
        return made
      })
    },
  }
}

/** Only what the file says of itself is read: nothing is drawn. */
const NO_LIMIT = { limitInputPixels: false }

/** A picture as it is kept: upright, on white, as WebP. */
export interface NormalisedCover {
  readonly bytes: Buffer
  /** Pixels. */
  readonly width: number
  readonly height: number
}

/**
 * Reads a picture and draws it anew: no place where it was taken, no second file inside. Throws
 * `BadCover`.
 */
export async function normaliseCover(bytes: Uint8Array): Promise<NormalisedCover> {
  try {
    const { format, width = 0, height = 0 } = await sharp(bytes, NO_LIMIT).metadata()
    if (!ACCEPTED.has(format ?? '')) throw new BadCover(`${format} is no format of a cover`)
    if (width * height > PIXELS_MAX) throw new BadCover('too many pixels', { isTooLarge: true })
    const picture = sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error' })
    const { data, info } = await picture
      .rotate()
      .flatten({ background: '#fff' })
      .resize({
        width: STORED_WIDTH,
        height: coverHeight(STORED_WIDTH),
        fit: 'inside',
        withoutEnlargement: true,
      })
      .webp({ quality: 90 })
      .toBuffer({ resolveWithObject: true })
    return { bytes: data, width: info.width, height: info.height }
  } catch (error) {
    if (error instanceof BadCover) throw error
    throw new BadCover('not a picture that can be read', { cause: error })
  }
}
