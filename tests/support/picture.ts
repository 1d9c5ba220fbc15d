import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { coverPath } from '../../src/rules/pictures.ts'
import type { Storage } from '../../src/server/files/files.ts'
import { normaliseCover } from '../../src/server/library/picture-tasks.ts'

/** A PNG with a pattern on a ground of one colour; sizes in pixels. */
export function aPicture(color: string, width = 340, height = 440): Promise<Buffer> {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<rect width="100%" height="100%" fill="${color}"/>
<circle cx="${width / 2}" cy="${height / 2}" r="${width / 4}" fill="#fff"/></svg>`
  return sharp(Buffer.from(drawing)).png().toBuffer()
}

/**
 * Stores a picture as an uploaded cover is stored; returns its `coverPath`, or throws the code
 * of its fault.
 */
export async function storeCover(files: Storage, picture: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'karras-picture-'))
  try {
    const path = join(folder, 'picture')
    await writeFile(path, picture)
    const normalised = await normaliseCover({ path })
    if (typeof normalised === 'string') throw new Error(normalised)
    return coverPath((await files.put(normalised.bytes, 'webp')).sha256)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
