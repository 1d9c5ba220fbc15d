import { coverPath } from '../../rules/cover.ts'
import type { Storage } from '../files/files.ts'
import { drawnPictures } from './drawn-pictures.ts'
import { normaliseCover } from './normalise-picture.ts'

/** The covers that were uploaded. `covers/` of a data directory (absolute) keeps them in the sizes of `COVER_WIDTHS`. */
export function coversIn(given: { dataDir: string; files: Storage }) {
  return {
    /**
     * Stores a picture (JPEG, PNG or WebP) without whatever else was in its file, and returns its
     * `coverPath`; throws `BadPicture`.
     */
    async put(bytes: Uint8Array): Promise<string> {
      const picture = await normaliseCover(bytes)
      const { sha256 } = await given.files.put(picture.bytes, 'webp')
      return coverPath(sha256)
    },
    /** A stored cover in one size and format; null where there is none. */
    picture: drawnPictures(given, 'covers'),
  }
}
