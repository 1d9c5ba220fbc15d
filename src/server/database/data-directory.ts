import { createHash } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { canEnter, type ServerUser } from './server-user.ts'
import { codeOf, StartError } from './start-error.ts'

// sockaddr_un holds 104 bytes on macOS and 108 on Linux, with the closing zero.
const LONGEST_SOCKET_PATH = 103

/** Makes `DATA_DIR` if need be and answers its real path; throws a `StartError` if it cannot serve. */
export function prepareDataDirectory(dataDir: string): string {
  const path = resolve(dataDir)
  try {
    // Others may pass through (the server's user, when we are root), not look around.
    makeDirectory(path, 0o711)
    if (!statSync(path).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' })
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return realpathSync(path)
  } catch (error) {
    const code = codeOf(error)
    throw new StartError(
      code === 'EEXIST' || code === 'ENOTDIR'
        ? `DATA_DIR: ${path} is not a directory; choose another path.`
        : `DATA_DIR: ${path} cannot be made or written by this user (${code}); choose a directory it may write to.`,
      { cause: error },
    )
  }
}

// Not `recursive: true`: where the parent exists and still answers ENOENT, as /proc does, node's
// own recursion never ends.
function makeDirectory(path: string, mode?: number): void {
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return
    if (codeOf(error) !== 'ENOENT' || existsSync(dirname(path))) throw error
    makeDirectory(dirname(path))
    makeDirectory(path, mode)
  }
}

/**
 * The 0700 directory of the server's socket: inside `dataDir`, or, where that path is too long for
 * a socket or out of the server's reach, a short one of its own under the temporary directory.
 */
export function prepareSocketDirectory(dataDir: string, user: ServerUser): string {
  const inside = join(dataDir, 'socket')
  if (fits(inside) && canEnter(dataDir, user)) return makePrivate(inside, user)

  const uid = user?.uid ?? process.getuid?.() ?? 0
  const name = `karras-${createHash('sha256').update(`${uid}:${dataDir}`).digest('hex').slice(0, 16)}`
  const temporary = tmpdir()
  const short = join(temporary, name)
  return makePrivate(fits(short) && canEnter(temporary, user) ? short : join('/tmp', name), user)
}

function fits(directory: string): boolean {
  return Buffer.byteLength(join(directory, '.s.PGSQL.5432.lock')) <= LONGEST_SOCKET_PATH
}

function makePrivate(directory: string, user: ServerUser): string {
  try {
    mkdirSync(directory, { mode: 0o700 })
    if (user) chownSync(directory, user.uid, user.gid)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw unusable(directory, codeOf(error))
  }
  const entry = lstatSync(directory)
  // In a shared temporary directory somebody else could have put theirs in this place.
  const owners = [user?.uid ?? process.getuid?.(), process.getuid?.()]
  if (!entry.isDirectory() || !owners.includes(entry.uid)) {
    throw unusable(directory, 'it belongs to somebody else')
  }
  if (user) chownSync(directory, user.uid, user.gid)
  chmodSync(directory, 0o700)
  return directory
}

function unusable(directory: string, why: string | undefined): StartError {
  return new StartError(
    `DATA_DIR: ${directory}, the database's socket directory, cannot be used (${why}); remove it, or choose another DATA_DIR.`,
  )
}
