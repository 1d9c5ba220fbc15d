import { createHash } from 'node:crypto'
import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Lists read at a time: an import changes a thousand tags, and visitors' files wait for the same threads. */
const AT_ONCE = 8

/**
 * Which pages carry a tag: a file a tag, a line a page, appended to. A line may outlive its page, which
 * costs a render; a page is written only after its lines, so none is missing.
 */
export class TagLists {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
  }

  async add(path: string, tags: readonly string[]): Promise<void> {
    await Promise.all(tags.map((tag) => this.#append(this.#fileOf(tag), `${path}\n`)))
  }

  /** The paths of all pages that carry, or carried, one of the tags. */
  async pagesWith(tags: readonly string[]): Promise<string[]> {
    const paths = new Set<string>()
    for (let at = 0; at < tags.length; at += AT_ONCE) {
      const files = tags.slice(at, at + AT_ONCE).map((tag) => this.#read(this.#fileOf(tag)))
      for (const list of await Promise.all(files)) for (const path of list) paths.add(path)
    }
    return [...paths]
  }

  async #append(file: string, line: string) {
    try {
      await appendFile(file, line)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      await mkdir(dirname(file), { recursive: true })
      await appendFile(file, line)
    }
  }

  async #read(file: string): Promise<string[]> {
    try {
      const lines = (await readFile(file, 'utf8')).split('\n')
      // The last piece is empty, or a line that a crash cut off.
      return lines.slice(0, -1)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }

  #fileOf(tag: string): string {
    const name = createHash('sha256').update(tag).digest('hex')
    return join(this.#directory, name.slice(0, 2), name.slice(2, 34))
  }
}
