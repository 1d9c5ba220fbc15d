import type { Blobs } from './blobs.ts'

/**
 * Deletes the files with the oldest changes until the others take at most `most` bytes; never
 * deletes `needed`.
 */
export async function forgetOldest(blobs: Blobs, most: number, needed?: string): Promise<void> {
  const found = []
  for await (const blob of blobs.list('')) found.push(blob)
  let bytes = found.reduce((sum, { size }) => sum + size, 0)
  found.sort((a, b) => a.changedAt.getTime() - b.changedAt.getTime())
  for (const { name, size } of found) {
    if (bytes <= most) return
    if (name === needed) continue
    await blobs.remove([name])
    bytes -= size
  }
}
