import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { opendir, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { readIfThere, writeWhole } from '../../files/files.ts'

export interface PageMeta {
  path: string
  status: number
  /** The tags of its data; it is stale once one of them changes after `clock`. */
  tags: readonly string[]
  clock: number
  /** Milliseconds since 1970 until which it is fresh; by default forever. */
  freshUntil?: number | undefined
  /** The hash of the HTML. */
  hash: string
  headers: Readonly<Record<string, string>>
}

export interface StoredPage extends PageMeta {
  /** The HTML as compressed by `compressZstd`. */
  body: Buffer
}

/** Whether a moment, in milliseconds since 1970, has passed. */
export const isOver = (until: number | undefined): boolean =>
  until !== undefined && until < Date.now()

/**
 * The pages of one build on the disk, current or stale, one file for each. Directories of other
 * builds beside this one are removed in the background. `report` receives the errors of the disk.
 */
export function pageFilesIn(directory: string, report: (message: string, error: unknown) => void) {
  const unfinished = join(directory, 'unfinished')
  // Files left by a crash are deleted.
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  removeOthers()

  function removeOthers(): void {
    removeDirectoriesBut(directory).catch((error) => {
      report('Pages of older builds cannot be removed.', error)
    })
  }

  /**
   * The file of a page, named by a hash of its path, so that no path leads out of the store. Pages
   * with a query share 4096 files, each of which holds the newest, so that requests cannot fill the
   * disk.
   */
  function fileOf(path: string): string {
    const name = createHash('sha256').update(path).digest('hex')
    if (path.includes('?')) return join(directory, 'html', 'queries', name.slice(0, 3))
    return join(directory, 'html', name.slice(0, 2), name.slice(2, 42))
  }

  return {
    /** A whole page; undefined if its file is missing, damaged or another page's. */
    async read(path: string): Promise<StoredPage | undefined> {
      try {
        const bytes = await readIfThere(fileOf(path))
        return bytes ? decodePage(bytes, path) : undefined
      } catch (error) {
        report(`The stored page ${path} cannot be read.`, error)
        return undefined
      }
    },
    /** Writes a page, replacing the one with its path; reports a failure. */
    async write({ path, status, tags, clock, freshUntil, hash, headers, body }: StoredPage) {
      try {
        // Not flushed: a page that a power loss damages is rendered again.
        const options = { temporary: join(unfinished, randomUUID()), flush: false }
        const page = { path, status, tags, clock, freshUntil, hash, headers, body }
        await writeWhole(fileOf(path), encodePage(page), options)
      } catch (error) {
        report(`The page ${path} cannot be stored.`, error)
      }
    },
    remove: (path: string): Promise<void> => rm(fileOf(path), { force: true }),
    /** Drops all pages at once; the files are moved aside and removed in the background. */
    clear(): void {
      if (!existsSync(join(directory, 'html'))) return
      renameSync(join(directory, 'html'), join(dirname(directory), `old-${randomUUID()}`))
      removeOthers()
    },
  }
}

const MAGIC = 'karras-page-3'

const checksum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64url')

/** A page's file: a line with a checksum of all that follows, a line of JSON, the body. */
function encodePage({ body, ...meta }: StoredPage): Buffer {
  const rest = Buffer.concat([Buffer.from(`${JSON.stringify(meta)}\n`), body])
  return Buffer.concat([Buffer.from(`${MAGIC} ${checksum(rest)}\n`), rest])
}

function decodePage(bytes: Buffer, path: string): StoredPage | undefined {
  const endOfSeal = bytes.indexOf('\n')
  const endOfMeta = bytes.indexOf('\n', endOfSeal + 1)
  if (endOfSeal < 0 || endOfMeta < 0) return
  const seal = bytes.toString('latin1', 0, endOfSeal)
  if (seal !== `${MAGIC} ${checksum(bytes.subarray(endOfSeal + 1))}`) return
  const meta = JSON.parse(bytes.toString('utf8', endOfSeal + 1, endOfMeta))
  return meta.path === path ? { ...meta, body: bytes.subarray(endOfMeta + 1) } : undefined
}

/**
 * Removes the directories beside the kept one: pages of other builds, and those moved aside. It
 * removes one file at a time, since removing tens of thousands at once would delay the files that
 * visitors wait for.
 */
async function removeDirectoriesBut(kept: string): Promise<void> {
  const parent = dirname(kept)
  for await (const entry of await opendir(parent)) {
    if (entry.isDirectory() && entry.name !== basename(kept)) await remove(join(parent, entry.name))
  }
}

async function remove(directory: string): Promise<void> {
  try {
    for await (const entry of await opendir(directory)) {
      const path = join(directory, entry.name)
      if (entry.isDirectory()) await remove(path)
      else await rm(path, { force: true })
    }
    await rmdir(directory)
  } catch (error) {
    // Another process is removing it, or still writing into it: the next start removes the remains.
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ENOTEMPTY') throw error
  }
}
