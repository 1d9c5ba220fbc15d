import { createHash } from 'node:crypto'
import { appendFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { coalesce } from '../../concurrency/coalesce.ts'
import { readIfThere } from '../../files/files.ts'

/**
 * How many lists are read at a time: an import changes a thousand tags, and reading visitors' files
 * uses the same threads.
 */
const AT_ONCE = 8

/**
 * Lists the pages with a tag: one file for each tag, to which a line for each page is appended. A
 * line may outlive its page, which costs a rendering; a page is written only after its lines, so
 * none is missing.
 */
export function tagListsIn(directory: string) {
  const fileOf = (tag: string) => {
    const name = createHash('sha256').update(tag).digest('hex')
    return join(directory, name.slice(0, 2), name.slice(2, 34))
  }

  async function append(file: string, lines: string): Promise<void> {
    try {
      await appendFile(file, lines)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      await mkdir(dirname(file), { recursive: true })
      await appendFile(file, lines)
    }
  }

  /**
   * Lines of pages that are stored at the same time, by file: most of these pages have tags in
   * common.
   */
  const unwritten = new Map<string, string>()

  const write = coalesce(async () => {
    const lines = [...unwritten]
    unwritten.clear()
    await Promise.all(lines.map(([file, text]) => append(file, text)))
  })

  async function read(file: string): Promise<string[]> {
    const lines = String((await readIfThere(file)) ?? '').split('\n')
    // The last piece is empty, or a line truncated by a crash.
    return lines.slice(0, -1)
  }

  return {
    async add(path: string, tags: readonly string[]): Promise<void> {
      if (tags.length === 0) return
      for (const file of tags.map(fileOf)) {
        unwritten.set(file, `${unwritten.get(file) ?? ''}${path}\n`)
      }
      await write()
    },
    /** The paths of all pages that have or had one of the tags. */
    async pagesWith(tags: readonly string[]): Promise<string[]> {
      const paths = new Set<string>()
      for (let at = 0; at < tags.length; at += AT_ONCE) {
        const files = tags.slice(at, at + AT_ONCE).map((tag) => read(fileOf(tag)))
        for (const list of await Promise.all(files)) for (const path of list) paths.add(path)
      }
      return [...paths]
    },
  }
}
