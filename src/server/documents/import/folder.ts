import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { plainPath } from '../../../rules/pasted-text.ts'
import type { ListSource } from './list-source.ts'

/** The names of a folder's list, in the order in which they are tried. */
export const LIST_NAMES = ['catalogue.csv', 'catalogue.json'] as const

/** The folder has no list, or does not exist. */
export class NoList extends Error {
  override readonly name = 'NoList'
}

/**
 * A list in a folder, with the files that it names. Nothing outside the folder is read, neither by
 * `..` nor by a link. Looking for the list throws `NoList`.
 */
export function folderSource(folder: string): ListSource {
  return {
    async findList() {
      for (const name of LIST_NAMES) {
        const path = join(folder, name)
        const found = await stat(path).catch(() => null)
        if (found?.isFile()) return { path, format: name.endsWith('.csv') ? 'csv' : 'json' }
      }
      throw new NoList(`There is no ${LIST_NAMES.join(' and no ')} in ${folder}.`)
    },
    async find(named) {
      const root = await realpath(folder)
      // Lists from Windows separate folders by a backslash.
      const path = resolve(root, named.replaceAll('\\', '/'))
      if (!isBelow(root, path)) return 'outside_folder'
      try {
        const real = await realpath(path).catch(() => nearest(path))
        if (!isBelow(root, real)) return 'outside_folder'
        const found = await stat(real)
        return found.isFile() ? { path: real, size: found.size } : 'file_missing'
      } catch {
        return 'file_missing'
      }
    },
  }
}

/** The only file beside a path whose name differs by invisible marks, spaces or hyphens at most. */
async function nearest(path: string): Promise<string> {
  const name = plainPath(basename(path))
  const [found, ...others] = (await readdir(dirname(path))).filter(
    (each) => plainPath(each) === name,
  )
  if (found === undefined || others.length > 0) throw new Error('no such file')
  return await realpath(join(dirname(path), found))
}

function isBelow(root: string, path: string): boolean {
  const below = relative(root, path)
  return below !== '' && below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below)
}
