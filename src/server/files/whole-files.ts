import { randomUUID } from 'node:crypto'
import { chownSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { type FileHandle, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

type Content = Uint8Array | string | ((file: FileHandle) => Promise<void>)

interface WriteOptions {
  /** The file's mode, such as 0o600; by default that of the process. */
  readonly mode?: number
  readonly directoryMode?: number
  /** Its name until it is complete, on the same disk; by default a unique one beside it. */
  readonly temporary?: string
  /** Waits for the disk, so that a power loss leaves either the old file or the new one. */
  readonly flush?: boolean
}

/**
 * Writes a file under a temporary name and renames it, so that readers never see an incomplete
 * file. Creates its directory. An error while writing leaves nothing behind; throws `EEXIST` if
 * `temporary` exists.
 */
export async function writeWhole(
  path: string,
  content: Content,
  options: WriteOptions = {},
): Promise<void> {
  const { mode, directoryMode, temporary = `${path}.${randomUUID()}.tmp`, flush = true } = options
  const file = await withDirectory(temporary, directoryMode, () => open(temporary, 'wx', mode))
  try {
    if (typeof content === 'function') await content(file)
    else await file.writeFile(content)
    if (flush) await file.sync()
    await file.close()
    await withDirectory(path, directoryMode, () => rename(temporary, path))
  } catch (error) {
    await file.close().catch(() => {})
    await rm(temporary, { force: true })
    throw error
  }
}

/** Repeats `work` after creating the directory of `path` if that is missing, which is rare. */
async function withDirectory<T>(
  path: string,
  mode: number | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await mkdir(dirname(path), { recursive: true, mode })
    return work()
  }
}

/** Like `writeWhole`, synchronously, for small files; `owner` becomes the file's owner. */
export function writeWholeSync(
  path: string,
  text: string,
  { mode, owner }: { mode?: number; owner?: { uid: number; gid: number } | undefined } = {},
): void {
  const temporary = `${path}.new`
  try {
    writeFileSync(temporary, text, { mode })
    if (owner) chownSync(temporary, owner.uid, owner.gid)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** The bytes of a file; null if it is missing. */
export function readIfThere(path: string): Promise<Buffer | null> {
  return readFile(path).catch(nullWhereMissing)
}

/** The text of a file, read synchronously; null if it is missing. */
export function readTextIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return nullWhereMissing(error)
  }
}

function nullWhereMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
  throw error
}
