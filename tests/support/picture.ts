import sharp from 'sharp'
import { coverPath } from '../../src/rules/cover.ts'
import type { Storage } from '../../src/server/files/files.ts'
import { normaliseCover } from '../../src/server/library/library.ts'

/** A PNG with a pattern on a ground of one colour; sizes in pixels. */
export function aPicture(color: string, width = 340, height = 440): Promise<Buffer> {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<rect width="100%" height="100%" fill="${color}"/>
<circle cx="${width / 2}" cy="${height / 2}" r="${width / 4}" fill="#fff"/></svg>`
  return sharp(Buffer.from(drawing)).png().toBuffer()
}

/**
 * Stores a picture as an uploaded cover is stored; returns its `coverPath`, or throws `BadCover`.
 */
export async function storeCover(files: Storage, picture: Uint8Array): Promise<string> {
  const { bytes } = await normaliseCover(picture)
  return coverPath((await files.put(bytes, 'webp')).sha256)
}
