import { join } from 'node:path'
import sharp from 'sharp'
import { type CoverFormat, type CoverWidth, coverHeight, coverPath } from '../../rules/cover.ts'
import { storageIn } from '../files/files.ts'
import { keptFiles, readIfThere } from './kept-files.ts'

/** What a cover may be uploaded as, by sharp's names. */
const ACCEPTED = new Set(['jpeg', 'png', 'webp', 'heif', 'gif', 'tiff'])

/** Pixels; a picture that is small as a file and huge in memory is refused. */
const PIXELS_MAX = 60_000_000

/** The stored picture fits into this width and the height of a book. */
const STORED_WIDTH = 1280

/** Bytes that are no picture, or none that can be a cover. */
export class BadCover extends Error {}

/**
 * The covers that were uploaded, below a data directory (absolute): `files/` holds each once, `covers/`
 * what is made of it in the sizes of `COVER_WIDTHS`.
 */
export function coversIn(dataDir: string) {
  const storage = storageIn(dataDir)
  const kept = keptFiles()
  // One after the other: a page's worth of new covers must not take the machine from everybody.
  let turn: Promise<unknown> = Promise.resolve()

  async function make(sha256: string, width: number, format: CoverFormat) {
    const original = await readIfThere(storage.pathOf(`${sha256.slice(0, 2)}/${sha256}.webp`))
    if (!original) return null
    const cut = sharp(original).resize({ width, height: coverHeight(width), fit: 'cover' })
    return (
      format === 'avif' ? cut.avif({ quality: 50, effort: 4 }) : cut.webp({ quality: 78 })
    ).toBuffer()
  }

  return {
    /**
     * Stores a picture (JPEG, PNG, WebP, AVIF, GIF or TIFF) without whatever else was in its file,
     * and returns its `coverPath`; throws `BadCover`.
     */
    async put(bytes: Uint8Array): Promise<string> {
      const { sha256 } = await storage.put(await normalised(bytes), 'webp')
      return coverPath(sha256)
    },
    /** A stored cover in one size and format; null where there is none. */
    picture(sha256: string, width: CoverWidth, format: CoverFormat): Promise<Buffer | null> {
      return kept(join(dataDir, 'covers', sha256, `${width}.${format}`), () => {
        const made = turn.then(() => make(sha256, width, format))
        turn = made.catch(() => {})
        return made
      })
    },
  }
}

/** The upright picture on white, as WebP: no place where it was taken, no second picture inside. */
async function normalised(bytes: Uint8Array): Promise<Buffer> {
  try {
    const picture = sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error' })
    const { format } = await picture.metadata()
    if (!ACCEPTED.has(format ?? '')) throw new BadCover(`${format} is no format of a cover`)
    return await picture
      .rotate()
      .flatten({ background: '#fff' })
      .resize({
        width: STORED_WIDTH,
        height: coverHeight(STORED_WIDTH),
        fit: 'inside',
        withoutEnlargement: true,
      })
      .webp({ quality: 90 })
      .toBuffer()
  } catch (error) {
    if (error instanceof BadCover) throw error
    throw new BadCover('not a picture that can be read', { cause: error })
  }
}
