import { lchownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isShared, NOBODY, type ServerUser } from './server-user.ts'
import { codeOf, StartError } from './start-error.ts'

/**
 * Whether a cluster belongs to a shared user, so that it is given to `user`, who runs its server
 * from now on.
 */
export function isToTakeOver(cluster: string, user: ServerUser): user is NonNullable<ServerUser> {
  const entry = statSync(cluster, { throwIfNoEntry: false })
  return user !== undefined && entry !== undefined && isShared(entry) && entry.uid !== user.uid
}

/**
 * Gives a cluster without a running server to its user. The directory itself is closed first and
 * given last: after an interruption at any moment, `isToTakeOver` is still true.
 */
export function takeOver(cluster: string, { uid, gid }: NonNullable<ServerUser>): void {
  try {
    const former = lstatSync(cluster).uid
    lchownSync(cluster, 0, 0)
    for (const entry of readdirSync(cluster, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      const owner = lstatSync(path).uid
      // The cluster never owns files of root: another user may have placed them there to get access
      // to them.
      if (owner !== 0 && (owner === former || owner === NOBODY.uid)) lchownSync(path, uid, gid)
    }
    lchownSync(cluster, uid, gid)
  } catch (error) {
    throw new StartError(
      `DATA_DIR: ${cluster} cannot be given to a user of its own (${codeOf(error)}); start Karras as an ordinary user, or set DATABASE_URL.`,
      { cause: error },
    )
  }
}
