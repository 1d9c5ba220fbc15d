import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { IMPORT_MAX_UNPACKED_BYTES } from '../../../rules/imports.ts'
import { normalForm } from '../../../rules/normal-form.ts'
import { UPLOAD_MAX_BYTES } from '../../../rules/uploads.ts'
import { type Archive, type ArchivedFile, openArchive } from '../../uploads/uploads.ts'
import type { ListSource } from './list-source.ts'
import { ImportRefused, type ProblemCode, problemOfList } from './problems.ts'

/**
 * A list in ZIPs with the files that it names, wherever they are in the ZIPs; a later ZIP overrides
 * earlier ones. Files are unpacked into `folder` (absolute path) under numbers: no name from a ZIP
 * is ever used on this machine. Reading the list throws `ImportRefused` if there is none.
 */
export async function openPackages(
  paths: readonly string[],
  folder: string,
): Promise<ListSource & { close(): void }> {
  const archives: Archive[] = []
  const byPath = new Map<string, ArchivedFile>()
  // Phones make ZIPs without folders.
  const byName = new Map<string, ArchivedFile>()
  let lists: ArchivedFile[] = []
  const close = () => {
    for (const archive of archives) archive.close()
  }
  try {
    for (const path of paths) {
      const archive = await openArchive(path)
      archives.push(archive)
      for (const file of archive.files) {
        byPath.set(file.name, file)
        byName.set(baseOf(file.name), file)
      }
      const found = archive.files.filter(({ name }) => /\.(?:csv|json)$/i.test(name))
      if (found.length > 0) lists = found
    }
  } catch (error) {
    close()
    throw error
  }
  await mkdir(folder, { recursive: true })
  const unpacked = new Map<ArchivedFile, string>()
  let left = IMPORT_MAX_UNPACKED_BYTES

  async function unpack(file: ArchivedFile): Promise<{ path: string; size: number } | ProblemCode> {
    const known = unpacked.get(file)
    if (known) return { path: known, size: file.size }
    // A file that is too large is not unpacked: its size is enough to refuse it.
    if (file.size > UPLOAD_MAX_BYTES.document) return { path: '', size: file.size }
    left -= file.size
    if (left < 0) return 'too_much_unpacked'
    const path = join(folder, String(unpacked.size))
    try {
      await pipeline(await file.open(), createWriteStream(path))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw error
      return 'not_unpacked'
    }
    unpacked.set(file, path)
    return { path, size: file.size }
  }

  return {
    close,
    async readList() {
      const [list, ...others] = preferred(lists)
      if (!list) throw new ImportRefused([problemOfList('no_list')])
      if (others.length > 0) {
        const names = [list, ...others].map(({ name }) => name).join(', ')
        throw new ImportRefused([problemOfList('several_lists', names)])
      }
      const pieces: Buffer[] = []
      if (list.size > LIST_MAX_BYTES) throw new ImportRefused([problemOfList('too_much_unpacked')])
      for await (const piece of await list.open()) pieces.push(piece as Buffer)
      return {
        bytes: Buffer.concat(pieces),
        format: /\.csv$/i.test(list.name) ? 'csv' : 'json',
      }
    },
    async find(named) {
      const name = normalForm(named.replaceAll('\\', '/'), 'NFC')
      if (name.split('/').includes('..')) return 'outside_folder'
      const file = byPath.get(name) ?? byName.get(baseOf(name))
      return file ? await unpack(file) : 'file_missing'
    },
  }
}

/** The largest list in bytes; a list of `LIST_MAX_ROWS` rows is smaller. */
const LIST_MAX_BYTES = UPLOAD_MAX_BYTES.document

const baseOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1)

/** The list with the template's name, if there is one; otherwise all files that may be a list. */
function preferred(lists: readonly ArchivedFile[]): readonly ArchivedFile[] {
  const named = lists.filter(({ name }) => /^catalogue\.(?:csv|json)$/i.test(baseOf(name)))
  return named.length === 1 ? named : lists
}
