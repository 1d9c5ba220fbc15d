import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../deps.ts'
import { directoryBlobs, forgetOldest, keyOf } from '../files/files.ts'
import { removeLostSamples } from '../library/library.ts'

/** How many keys are looked up at a time. */
export const KEYS_AT_ONCE = 500

/** What is made of stored files, in `<kind>/<sha256>` of the data directory, with the ending of those files. */
const MADE = { covers: 'webp', portraits: 'webp', previews: 'pdf', stamps: 'pdf' } as const

const HASH = /[0-9a-f]{64}/

/** How many bytes the pictures of pages may take in all; those drawn longest ago go first. */
const PREVIEWS_MAX_BYTES = 4 * 1024 ** 3

/** Deletes what was made of a stored file. */
export async function removeMadeOf({ config }: Pick<Deps, 'config'>, key: string): Promise<void> {
  const [sha256] = HASH.exec(key) ?? []
  if (!sha256) return
  for (const kind of Object.keys(MADE)) {
    await rm(join(config.dataDir, kind, sha256), { recursive: true, force: true })
  }
}

/**
 * Deletes what is left over among the files that are made of stored ones, where it was not touched since
 * `before`: half-written ones, those of samples that are gone, and those of files that are gone, which a
 * process may have made, or been killed before it removed them. Pictures of pages beyond their room go too,
 * and are drawn again for who looks.
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
