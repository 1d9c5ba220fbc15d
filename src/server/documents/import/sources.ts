import { mkdir, readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { IMPORT_MAX_UNPACKED_BYTES, LIST_MAX_BYTES } from '../../../rules/imports.ts'
import { normalForm, plainPath } from '../../../rules/pasted-text.ts'
import { inMegabytes, UPLOAD_MAX_BYTES } from '../../../rules/uploads.ts'
import type { Deps } from '../../deps.ts'
import { type ArchivedFile, archivesFor, type Zip } from '../../uploads/uploads.ts'
import type { Customer } from '../../workers/workers.ts'
import { type ProblemCode, refused } from './problems.ts'
import type { ListFormat } from './read-list.ts'

export interface ListSource {
  /** The absolute path at which the list can be read. */
  findList(): Promise<{ readonly path: string; readonly format: ListFormat }>
  /**
   * The absolute path and the size in bytes of a file that a row names; or the reason for refusing
   * it.
   */
  find(name: string): Promise<{ readonly path: string; readonly size: number } | ProblemCode>
}

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

interface Packed {
  readonly zip: Zip
  readonly file: ArchivedFile
}

type Found = Awaited<ReturnType<ListSource['find']>>

/**
 * A list in ZIPs with the files that it names, wherever they are in the ZIPs; a later ZIP overrides
 * earlier ones. Files are unpacked into `folder` (absolute path) under numbers: no name from a ZIP
 * is ever used on this machine. Throws `ImportRefused` if a ZIP cannot be read; looking for the
 * list does if there is none.
 */
export async function openPackages(
  deps: Pick<Deps, 'workers'>,
  zips: readonly Zip[],
  { folder, customer }: { folder: string; customer: Customer },
): Promise<ListSource> {
  const archives = archivesFor(deps, customer)
  /** The files of each ZIP by their names, the latest ZIP first. */
  const named: ReturnType<typeof byNames>[] = []
  let lists: Packed[] = []
  let sheets: Packed[] = []
  for (const zip of zips) {
    const listed = await archives.list(zip)
    if (listed.fault) throw refused('not_readable')
    const packed = listed.files.map((file) => ({ zip, file }))
    named.unshift(byNames(packed))
    const found = packed.filter(({ file }) => /\.(?:csv|json)$/i.test(file.name))
    if (found.length > 0) lists = found
    sheets = [...packed.filter(({ file }) => SPREADSHEET.test(file.name)), ...sheets]
  }
  await mkdir(folder, { recursive: true })
  const found = new Map<Packed, Found>()
  /** How many bytes may still be unpacked; what was unpacked of a damaged file counts as well. */
  let left = IMPORT_MAX_UNPACKED_BYTES

  async function unpackOnce(packed: Packed): Promise<Found> {
    const known = found.get(packed)
    if (known) return known
    const unpacked = await unpack(packed, join(folder, String(found.size)))
    found.set(packed, unpacked)
    return unpacked
  }

  async function unpack({ zip, file }: Packed, to: string): Promise<Found> {
    // A file that is too large is not unpacked: its size is enough to refuse it.
    if (file.size > UPLOAD_MAX_BYTES.document) return { path: '', size: file.size }
    const { written, fault } = await archives.unpack(zip, { file, to, most: left })
    left -= written
    if (fault === 'too_large') return 'too_much_unpacked'
    return fault ? 'not_unpacked' : { path: to, size: written }
  }

  return {
    async findList() {
      const [list, ...others] = preferred(lists)
      if (!list) {
        throw sheets[0] ? refused('spreadsheet', baseOf(sheets[0].file.name)) : refused('no_list')
      }
      if (others.length > 0) {
        const names = [list, ...others].map(({ file }) => file.name).join(', ')
        throw refused('several_lists', names)
      }
      const { name } = list.file
      const to = join(folder, 'list')
      const { fault } = await archives.unpack(list.zip, {
        file: list.file,
        to,
        most: LIST_MAX_BYTES,
      })
      if (fault === 'too_large') {
        const most = String(inMegabytes(LIST_MAX_BYTES))
        throw refused('list_too_large', most)
      }
      if (fault) throw refused('not_unpacked', name)
      return { path: to, format: /\.csv$/i.test(name) ? 'csv' : 'json' }
    },
    async find(wanted) {
      const name = normalForm(wanted.replaceAll('\\', '/'), 'NFC')
      if (name.split('/').includes('..')) return 'outside_folder'
      for (const find of named) {
        const [packed, ...others] = find(name)
        if (others.length > 0) return 'ambiguous_file'
        if (packed) return await unpackOnce(packed)
      }
      return 'file_missing'
    },
  }
}

const SPREADSHEET = /\.(?:xlsx?|xlsm|ods|numbers)$/i

/**
 * Returns a search for the files of a ZIP that a list may mean by a name: by its path as written,
 * by its path whatever invisible marks, spaces and hyphens either has, or, since phones make ZIPs
 * without folders and computers put folders around them, by the end of its path. Of the encodings
 * that the ZIP may have, the right one is that in which a name is found.
 */
function byNames(packed: readonly Packed[]): (name: string) => readonly Packed[] {
  const exact = new Map<string, Set<Packed>>()
  const plain = new Map<string, Set<Packed>>()
  const bases = new Map<string, Set<Packed>>()
  const add = (to: typeof exact, name: string, each: Packed) =>
    to.set(name, (to.get(name) ?? new Set()).add(each))
  for (const each of packed) {
    for (const name of [each.file.name, ...each.file.otherNames]) {
      add(exact, name, each)
      add(plain, plainPath(name), each)
      add(bases, plainPath(baseOf(name)), each)
    }
  }
  return (name) => {
    const path = plainPath(name)
    const found = exact.get(name) ?? plain.get(path) ?? bases.get(plainPath(baseOf(name)))
    const all = [...(found ?? [])]
    const below = all.filter(({ file }) =>
      [file.name, ...file.otherNames].some((each) => plainPath(each).endsWith(`/${path}`)),
    )
    return below.length > 0 ? below : all
  }
}

const baseOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1)

/** The list with the template's name, if there is one; otherwise all files that may be a list. */
function preferred(lists: readonly Packed[]): readonly Packed[] {
  const named = lists.filter(({ file }) => /^catalogue\.(?:csv|json)$/i.test(baseOf(file.name)))
  return named.length === 1 ? named : lists
}
