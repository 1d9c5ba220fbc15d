import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../deps.ts'
import { directoryBlobs, forgetOldest, keyOf } from '../files/files.ts'
import { removeLostSamples } from '../library/library.ts'

/** How many keys are looked up at a time. */
export const KEYS_AT_ONCE = 500

/** Derived files, in `<kind>/<sha256>`, with the extension of their sources. */
const MADE = { covers: 'webp', portraits: 'webp', previews: 'pdf', stamps: 'pdf' } as const

const HASH = /[0-9a-f]{64}/

/** How many bytes the pictures of pages may take in all; the oldest ones are deleted first. */
const PREVIEWS_MAX_BYTES = 4 * 1024 ** 3

/** Deletes the files derived from a stored file. */
export async function removeMadeOf({ config }: Pick<Deps, 'config'>, key: string): Promise<void> {
  const [sha256] = HASH.exec(key) ?? []
  if (!sha256) return
  for (const kind of Object.keys(MADE)) {
    await rm(join(config.dataDir, kind, sha256), { recursive: true, force: true })
  }
}

/**
 * Deletes derived files that are no longer needed and have not changed since `before`: incomplete
 * ones, those of deleted samples, and those of deleted files, which a process may have derived
 * after the deletion or, if it was killed, not removed. Pictures of pages beyond
 * `PREVIEWS_MAX_BYTES` are deleted too, and drawn again when the page is next requested.
 */
export async function cleanUpMade(
  deps: Deps,
  before: Date,
  unreferenced: (keys: readonly string[]) => Promise<string[]>,
  mostOfPreviews = PREVIEWS_MAX_BYTES,
): Promise<void> {
  const { dataDir } = deps.config
  const inKind = (kind: string) => directoryBlobs(join(dataDir, kind))
  await removeLostSamples(deps, before)
  await inKind('samples').removeHalfWritten(before)
  for (const [kind, ending] of Object.entries(MADE)) {
    await inKind(kind).removeHalfWritten(before)
    const hashes = await untouchedIn(join(dataDir, kind), before)
    for (let at = 0; at < hashes.length; at += KEYS_AT_ONCE) {
      const keys = hashes.slice(at, at + KEYS_AT_ONCE).map((sha256) => keyOf(sha256, ending))
      for (const key of await unreferenced(keys)) await removeMadeOf(deps, key)
    }
  }
  await forgetOldest(inKind('previews'), mostOfPreviews)
}

async function untouchedIn(directory: string, before: Date): Promise<string[]> {
  const names = []
  for (const name of await readdir(directory).catch(() => [])) {
    if (!HASH.test(name)) continue
    const found = await stat(join(directory, name)).catch(() => null)
    if (found && found.mtime < before) names.push(name)
  }
  return names
}
