import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { sharedWork } from '../concurrency/shared-work.ts'
import { type Blobs, directoryBlobs, forgetOldest } from './blobs.ts'
import { readIfThere, writeWhole } from './whole-files.ts'

/** The kinds of files that are made from stored ones, each a folder of folders. */
const MADE_KINDS = ['covers', 'likeness', 'portraits', 'previews', 'samples', 'stamps'] as const
type MadeKind = (typeof MADE_KINDS)[number]

/** Files that are made from stored ones, and made again where they are missing. */
export interface MadeFiles {
  /** The file of this name, `stamps/<folder>/…`; if it is missing, `make` makes it, once for all callers. */
  kept(name: string, make: () => Promise<Buffer | null>): Promise<Buffer | null>
  /** Where a file is on this machine, once `kept` has returned it. */
  pathOf(name: string): string
  /** The folders of a kind of which nothing has changed since that moment. */
  untouched(kind: MadeKind, before: Date): Promise<string[]>
  removeFolder(kind: MadeKind, folder: string): Promise<void>
  /** Deletes the oldest of a kind until the others take at most so many bytes. */
  forgetOldest(kind: MadeKind, most: number): Promise<void>
  /** Deletes incomplete files that killed processes left before that moment. */
  removeHalfWritten(before: Date): Promise<void>
}

type Store = Pick<Blobs, 'read' | 'write' | 'list' | 'remove'>

/**
 * Made files on this machine, in folders of `dataDir` (absolute path), and, if the shop's machines
 * share a store, there as well: what one of them has made, the others find.
 */
export function madeFilesIn(dataDir: string, shared?: Blobs): MadeFiles {
  const common = shared && below(shared, 'made/')
  const stores = [directoryBlobs(dataDir), ...(common ? [common] : [])]
  const making = sharedWork<Buffer | null>()

  // A store that fails costs only the work of making a file that it has, or of making one again.
  const findCommon = async (name: string) => {
    const found = await common?.read(name).catch(() => null)
    return found ? buffer(found).catch(() => null) : null
  }

  async function findOrMake(name: string, make: () => Promise<Buffer | null>) {
    const found = await findCommon(name)
    const file = found ?? (await make())
    if (file) await writeWhole(join(dataDir, name), file)
    if (file && !found) await common?.write(name, file).catch(() => {})
    return file
  }

  async function removeFolder(kind: MadeKind, folder: string): Promise<void> {
    for (const store of stores) {
      const names = []
      for await (const { name } of store.list(`${kind}/${folder}/`)) names.push(name)
      await store.remove(names)
    }
  }

  async function untouched(kind: MadeKind, before: Date): Promise<string[]> {
    const changed = new Map<string, Date>()
    for (const store of stores) {
      for await (const { name, changedAt } of store.list(`${kind}/`)) {
        const [, folder = ''] = name.split('/')
        const known = changed.get(folder)
        if (!known || known < changedAt) changed.set(folder, changedAt)
      }
    }
    return [...changed].flatMap(([folder, at]) => (at < before ? [folder] : []))
  }

  return {
    kept: (name, make) =>
      making(name, async () => (await readIfThere(join(dataDir, name))) ?? findOrMake(name, make)),
    pathOf: (name) => join(dataDir, name),
    untouched,
    removeFolder,
    async forgetOldest(kind, most) {
      for (const store of stores) await forgetOldest(below(store, `${kind}/`), most)
    },
    async removeHalfWritten(before) {
      for (const kind of MADE_KINDS) {
        await directoryBlobs(join(dataDir, kind)).removeHalfWritten(before)
      }
    },
  }
}

/** The files of a store whose names begin with `prefix`, by the rest of their names. */
function below({ read, write, list, remove }: Store, prefix: string): Store {
  return {
    read: (name, range) => read(prefix + name, range),
    write: (name, content) => write(prefix + name, content),
    remove: (names) => remove(names.map((name) => prefix + name)),
    async *list(within) {
      for await (const blob of list(prefix + within)) {
        yield { ...blob, name: blob.name.slice(prefix.length) }
      }
    },
  }
}
