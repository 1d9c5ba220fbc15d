import type { Deps } from '../deps.ts'
import { type Customer, tasksOf, UnreadableFile } from '../workers/workers.ts'
import type { ArchivedFile, ListedArchive, Unpacked } from './archive.ts'

const task = tasksOf<typeof import('./archive.ts')>(new URL('./archive.ts', import.meta.url))
const LIST = task('listArchive')
const UNPACK = task('unpackEntry')

/** A ZIP on this machine. */
export interface Zip {
  /** An absolute path. */
  readonly path: string
  readonly sha256: string
}

/** Opens strangers' ZIPs, for a customer of the workers. Throws `WorkersBusy`. */
export function archivesFor({ workers }: Pick<Deps, 'workers'>, customer: Customer) {
  return {
    /** The files of a ZIP, or why it is not read. */
    list({ path, sha256 }: Zip): Promise<ListedArchive> {
      const listed = workers.run(LIST, { path }, { ...customer, file: { sha256 } })
      return unless(listed, (reason) => ({ fault: 'bad', reason }))
    },
    /** Unpacks a file of a ZIP to the path `to`, at most `most` bytes. */
    unpack(
      { path, sha256 }: Zip,
      wanted: { file: ArchivedFile; to: string; most: number },
    ): Promise<Unpacked> {
      const file = { sha256, part: wanted.file.packedAt }
      const unpacked = workers.run(UNPACK, { ...wanted, path }, { ...customer, file })
      return unless(unpacked, () => ({ written: 0, fault: 'damaged' }))
    },
  }
}

/** The result, or what stands for it if the file cannot be read. */
async function unless<Result>(
  result: Promise<Result>,
  unreadable: (reason: string) => Result,
): Promise<Result> {
  return result.catch((error: unknown) => {
    if (error instanceof UnreadableFile) return unreadable(error.message)
    throw error
  })
}
