import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import sharp, { type Sharp } from 'sharp'
import { type CoverFormat, coverHeight } from '../../rules/cover.ts'
import type { PortraitFormat } from '../../rules/portrait.ts'
import { keyOf, type Storage } from '../files/files.ts'
import { keptFile } from './pages/kept-files.ts'

/** The kinds of uploaded pictures, with the height for a width, in pixels. */
const HEIGHTS = { covers: coverHeight, portraits: (width: number) => width }
export type PictureKind = keyof typeof HEIGHTS

type Format = CoverFormat | PortraitFormat
const ENCODERS: Readonly<Record<Format, (picture: Sharp) => Sharp>> = {
  avif: (picture) => picture.avif({ quality: 50, effort: 4 }),
  webp: (picture) => picture.webp({ quality: 78 }),
  jpeg: (picture) => picture.jpeg({ quality: 82 }),
}

/**
 * The end of the queue of drawings, which run one after the other, so that a page full of new
 * pictures does not take the whole machine.
 */
let turn: Promise<unknown> = Promise.resolve()

/**
 * Stored pictures in one size and format, drawn once and kept in `<kind>/<sha256>` of a data
 * directory (absolute); null if there is none.
 */
export function drawnPictures(
  { dataDir, files }: { dataDir: string; files: Storage },
  kind: PictureKind,
) {
  async function draw(sha256: string, width: number, format: Format): Promise<Buffer | null> {
    const stored = await files.read(keyOf(sha256, 'webp'))
    if (!stored) return null
    const picture = sharp(await buffer(stored))
    const size = { width, height: HEIGHTS[kind](width), fit: 'cover' as const }
    return ENCODERS[format](picture.resize(size)).toBuffer()
  }

  return (sha256: string, width: number, format: Format): Promise<Buffer | null> =>
    keptFile(join(dataDir, kind, sha256, `${width}.${format}`), () => {
      const made = turn.then(() => draw(sha256, width, format))
      turn = made.catch(() => {})
      return made
    })
}
