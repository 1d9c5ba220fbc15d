/**
 * A problem that an operator must fix before the shop can start; `message` describes it in one
 * line.
 */
export class StartError extends Error {
  override name = 'StartError'
}

/** Descriptions of a full or read-only disk, by the code of the error. */
const DISK_FAULTS: Readonly<Record<string, string>> = {
  ENOSPC: 'is full; make room there',
  EDQUOT: 'has no room left for this user; make some',
  EROFS: 'can only be read; mount it for writing',
  EIO: 'cannot be read or written (EIO); look after that disk',
}

/** An error of one line for a disk that refuses to write; any other error unchanged. */
export function explainDisk(error: unknown, directory: string): unknown {
  const fault = DISK_FAULTS[codeOf(error) ?? '']
  if (!fault || error instanceof StartError) return error
  return new StartError(`DATA_DIR: the disk of ${directory} ${fault}, and start again.`, {
    cause: error,
  })
}

/** The first non-blank line of a text, or an empty string. */
export function firstLine(text: string): string {
  return (text.trim().split('\n', 1)[0] ?? '').trimEnd()
}

/** Why a file or a directory cannot be used, by the code of the error. */
const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or directory',
  ENOTDIR: 'a part of this path is a file, not a directory',
  EISDIR: 'it is a directory, not a file',
  EEXIST: 'it exists already',
  ENOTEMPTY: 'it exists already and is not empty',
  EACCES: 'this user may not do so',
  EPERM: 'this user may not do so',
  EROFS: 'its disk can only be read',
  ENOSPC: 'the disk is full',
  EDQUOT: 'this user has no room left on the disk',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
}

/** Why an operation on a file failed, in words that end a sentence. */
export function fileFault(error: unknown): string {
  const code = codeOf(error)
  return FILE_FAULTS[code ?? ''] ?? `the system refused it (${code ?? 'no reason given'})`
}

/** The code of a system error (`EACCES`), an SQLSTATE (`57P01`), or `undefined`. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** PostgreSQL's code for a value that another row has. */
export const UNIQUE_VIOLATION = '23505'
/** And for a row that others refer to. */
export const FOREIGN_KEY_VIOLATION = '23503'
