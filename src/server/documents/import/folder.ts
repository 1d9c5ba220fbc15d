import { readFile, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { ProblemCode } from './problems.ts'
import { type Row, readList } from './read-list.ts'

/** The list of a folder: what is looked for, in this order. */
export const LIST_NAMES = ['catalogue.csv', 'catalogue.json'] as const

/** A folder without a list, or no folder. */
export class NoList extends Error {
  override readonly name = 'NoList'
}

/** Reads the folder's list. Throws `NoList`, or `ImportRefused` where it is none. */
export async function readListIn(folder: string): Promise<Row[]> {
  for (const name of LIST_NAMES) {
    const bytes = await readFile(join(folder, name)).catch(() => null)
    if (bytes) return readList(bytes, name.endsWith('.csv') ? 'csv' : 'json')
  }
  throw new NoList(`There is no ${LIST_NAMES.join(' and no ')} in ${folder}.`)
}

/**
 * The path of a file that a row names, and its size in bytes; or why it is not taken. A file is below
 * the folder itself: nothing above it is read, by `..` or by a link.
 */
export async function findFile(
  folder: string,
  named: string,
): Promise<{ path: string; size: number } | ProblemCode> {
  const root = await realpath(folder)
  // Lists from Windows part folders by a backslash.
  const path = resolve(root, named.replaceAll('\\', '/'))
  if (!isBelow(root, path)) return 'outside_folder'
  try {
    const real = await realpath(path)
    if (!isBelow(root, real)) return 'outside_folder'
    const found = await stat(real)
    return found.isFile() ? { path: real, size: found.size } : 'file_missing'
  } catch {
    return 'file_missing'
  }
}

function isBelow(root: string, path: string): boolean {
  const below = relative(root, path)
  return below !== '' && below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below)
}
