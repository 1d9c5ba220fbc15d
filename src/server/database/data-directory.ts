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
import { canEnter, isShared, type ServerUser } from './server-user.ts'
import { codeOf, explainDisk, StartError } from './start-error.ts'

// The limit of `sockaddr_un` is 104 bytes on macOS and 108 on Linux, including the final zero.
const LONGEST_SOCKET_PATH = 103
// The port passed to the server (server-process.ts).
const SOCKET_PORT = 5432

/**
 * Where a restore creates the database in `DATA_DIR`; it exists during a restore or after an
 * interrupted one.
 */
export const RESTORING = 'restoring'

/**
 * Throws a `StartError` after an interrupted restore, whose remains must not become an empty shop.
 */
export function refuseHalfRestored(home: string): void {
  const aside = join(home, RESTORING)
  if (!existsSync(aside) || existsSync(join(home, 'postgres'))) return
  throw new StartError(
    `DATA_DIR: a restore into ${home} was cut off; run it again (office restore <file>), or delete ${aside} to begin with an empty shop.`,
  )
}

/**
 * Creates `DATA_DIR` if necessary and returns its real path; throws a `StartError` if it is
 * unusable.
 */
export function prepareDataDirectory(dataDir: string): string {
  const path = resolve(dataDir)
  try {
    // Other users (such as the server's, if we are root) may traverse it but not list it.
    makeDirectory(path, 0o711)
    if (!statSync(path).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' })
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return realpathSync(path)
  } catch (error) {
    const code = codeOf(error)
    const explained = explainDisk(error, path)
    if (explained !== error) throw explained
    throw new StartError(
      code === 'EEXIST' || code === 'ENOTDIR'
        ? `DATA_DIR: ${path} is not a directory; choose another path.`
        : `DATA_DIR: ${path} cannot be made or written by this user (${code}); choose a directory it may write to.`,
      { cause: error },
    )
  }
}

// Not `recursive: true`: if the parent exists and the system still answers ENOENT, as in /proc, the
// recursion of Node.js never ends.
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
 * The 0700 directory of the server's socket: inside `dataDir`, or, if that path is too long for a
 * socket or the server cannot reach it, a short one under the temporary directory.
 */
export function prepareSocketDirectory(dataDir: string, user: ServerUser): string {
  const { inside, short } = socketDirectories(dataDir, user)
  if (fits(inside) && canEnter(dataDir, user)) {
    // Left by an earlier server, which ran as nobody; inside our own directory it can be trusted.
    const left = lstatSync(inside, { throwIfNoEntry: false })
    if (user && left?.isDirectory() && isShared(left)) chownSync(inside, user.uid, user.gid)
    return makePrivate(inside, user)
  }
  const [own = '', common = ''] = short
  return makePrivate(fits(own) && canEnter(tmpdir(), user) ? own : common, user)
}

/**
 * The directory of the socket of a running server on `dataDir` that accepts us; undefined if there
 * is none.
 */
export function findSocketDirectory(dataDir: string, user: ServerUser): string | undefined {
  const { inside, short } = socketDirectories(dataDir, user)
  return [inside, ...short].find((directory) => {
    const entry = lstatSync(directory, { throwIfNoEntry: false })
    const isOwners = entry?.isDirectory() && owners(user).includes(entry.uid)
    return isOwners && existsSync(join(directory, `.s.PGSQL.${SOCKET_PORT}`))
  })
}

function socketDirectories(dataDir: string, user: ServerUser) {
  const uid = user?.uid ?? process.getuid?.() ?? 0
  const name = `karras-${createHash('sha256').update(`${uid}:${dataDir}`).digest('hex').slice(0, 16)}`
  return { inside: join(dataDir, 'socket'), short: [join(tmpdir(), name), join('/tmp', name)] }
}

// In a shared temporary directory another user could have created this path.
function owners(user: ServerUser): (number | undefined)[] {
  return [user?.uid ?? process.getuid?.(), process.getuid?.()]
}

function fits(directory: string): boolean {
  return Buffer.byteLength(join(directory, `.s.PGSQL.${SOCKET_PORT}.lock`)) <= LONGEST_SOCKET_PATH
}

function makePrivate(directory: string, user: ServerUser): string {
  try {
    mkdirSync(directory, { mode: 0o700 })
    if (user) chownSync(directory, user.uid, user.gid)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw unusable(directory, codeOf(error))
  }
  const entry = lstatSync(directory)
  if (!entry.isDirectory() || !owners(user).includes(entry.uid)) {
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
