import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { readIfThere, writeWhole } from '../../files/files.ts'
import { decodePage, encodePage, hasQuery, type StoredPage } from './page-file.ts'
import { removeDirectoriesBut } from './remove-directories.ts'
import { tagListsIn } from './tag-lists.ts'

/**
 * The pages of one build on the disk, current or stale. Directories of other builds beside this one
 * are removed in the background. `report` receives the errors of the disk.
 */
export function pageFilesIn(directory: string, report: (message: string, error: unknown) => void) {
  const unfinished = join(directory, 'unfinished')
  const tagLists = tagListsIn(join(directory, 'tags'))
  // Files left by a crash are deleted.
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  removeOthers()
  /**
   * The existing files of pages with a query: most requested ones have none, and then need no
   * look-up on the disk.
   */
  const queries = new Set(namesIn(join(directory, 'html', 'queries')))

  function removeOthers(): void {
    removeDirectoriesBut(directory).catch((error) => {
      report('Pages of older builds cannot be removed.', error)
    })
  }

  /**
   * The file of a page, named by a hash of its path, so that no path leads out of the store. Pages
   * with a query share a fixed number of files, each of which holds the newest, so that requests
   * cannot fill the disk.
   */
  function fileOf(path: string): string {
    const name = createHash('sha256').update(path).digest('hex')
    if (hasQuery(path)) return join(directory, 'html', 'queries', name.slice(0, 3))
    return join(directory, 'html', name.slice(0, 2), name.slice(2, 42))
  }

  /** A whole page; undefined if its file is missing or damaged. */
  async function read(path: string): Promise<StoredPage | undefined> {
    try {
      const file = fileOf(path)
      if (hasQuery(path) && !queries.has(basename(file))) return
      const bytes = await readIfThere(file)
      return bytes ? decodePage(bytes, path) : undefined
    } catch (error) {
      report(`The stored page ${path} cannot be read.`, error)
      return undefined
    }
  }

  return {
    read,
    /** The paths of the pages with one of the tags; some may no longer carry it. */
    pagesWith: tagLists.pagesWith,
    /**
     * Writes a page, replacing the one with its path, which has the tags `listed`; reports a
     * failure.
     */
    async write(page: StoredPage, listed: readonly string[]): Promise<void> {
      const { path, tags } = page
      const added = tags.filter((tag) => !listed.includes(tag))
      try {
        // Pages with a query are not rendered again before they are requested.
        if (!hasQuery(path)) await tagLists.add(path, added)
        const file = fileOf(path)
        // Not flushed: a page that a power loss damages is rendered again.
        const options = { temporary: join(unfinished, randomUUID()), flush: false }
        await writeWhole(file, encodePage(page), options)
        if (hasQuery(path)) queries.add(basename(file))
      } catch (error) {
        report(`The page ${path} cannot be stored.`, error)
      }
    },
    async remove(path: string): Promise<void> {
      // The file of a query may hold another page by now.
      if (!hasQuery(path) || (await read(path))) await rm(fileOf(path), { force: true })
    },
    /** Drops all pages at once; the files are moved aside and removed in the background. */
    clear(): void {
      const aside = join(dirname(directory), `old-${randomUUID()}`)
      for (const name of ['tags', 'html']) {
        if (!existsSync(join(directory, name))) continue
        mkdirSync(aside, { recursive: true })
        renameSync(join(directory, name), join(aside, name))
      }
      queries.clear()
      removeOthers()
    },
  }
}

function namesIn(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory) : []
}
