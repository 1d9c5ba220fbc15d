import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeWhole } from '../../files/files.ts'
import { decodePage, encodePage, type StoredPage } from './page-file.ts'
import { removeDirectoriesBut } from './remove-directories.ts'
import { TagLists } from './tag-lists.ts'

type Report = (message: string, error: unknown) => void

/** The pages of one build on the disk, whether they are still true or not. */
export class PageFiles {
  readonly #directory: string
  readonly #unfinished: string
  readonly #tagLists: TagLists
  readonly #report: Report

  /** Directories beside this one, of other builds, are removed behind. */
  constructor(directory: string, report: Report) {
    this.#directory = directory
    this.#unfinished = join(directory, 'unfinished')
    this.#tagLists = new TagLists(join(directory, 'tags'))
    this.#report = report
    // Files left by a crash are deleted.
    rmSync(this.#unfinished, { recursive: true, force: true })
    mkdirSync(this.#unfinished, { recursive: true })
    this.#removeOthers()
  }

  /** Paths of the pages that carry one of the tags; some may carry it no longer. */
  pagesWith(tags: readonly string[]): Promise<string[]> {
    return this.#tagLists.pagesWith(tags)
  }

  /** A whole page; undefined where its file is missing or damaged. */
  async read(path: string): Promise<StoredPage | undefined> {
    try {
      return decodePage(await readFile(this.#fileOf(path)), path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        this.#report(`The stored page ${path} cannot be read.`, error)
      }
      return undefined
    }
  }

  /** Writes a page, over the one that has its path; reports where that fails. */
  async write(page: StoredPage): Promise<void> {
    try {
      const listed = (await this.read(page.path))?.tags ?? []
      const unlisted = page.tags.filter((tag) => !listed.includes(tag))
      await this.#tagLists.add(page.path, unlisted)
      // Not waited for until it is on the disk: a page that a power loss damages is rendered again.
      const options = { temporary: join(this.#unfinished, randomUUID()), flush: false }
      await writeWhole(this.#fileOf(page.path), encodePage(page), options)
    } catch (error) {
      this.#report(`The page ${page.path} cannot be stored.`, error)
    }
  }

  async remove(path: string): Promise<void> {
    await rm(this.#fileOf(path), { force: true })
  }

  /** Forgets every page at once; the files are put aside and removed behind. */
  clear(): void {
    const aside = join(dirname(this.#directory), `old-${randomUUID()}`)
    for (const name of ['tags', 'html']) {
      if (!existsSync(join(this.#directory, name))) continue
      mkdirSync(aside, { recursive: true })
      renameSync(join(this.#directory, name), join(aside, name))
    }
    this.#removeOthers()
  }

  #removeOthers() {
    removeDirectoriesBut(this.#directory).catch((error) => {
      this.#report('Pages of older builds cannot be removed.', error)
    })
  }

  /** Never made from the path itself, so no path leads out of the store. */
  #fileOf(path: string): string {
    const name = createHash('sha256').update(path).digest('hex')
    return join(this.#directory, 'html', name.slice(0, 2), name.slice(2, 42))
  }
}
