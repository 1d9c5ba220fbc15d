import { execFile } from 'node:child_process'
import {
  chownSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { programEnvironment } from '../config/environment.ts'
import { readTextIfThere } from '../files/files.ts'
import type { Binaries } from './binaries.ts'
import { canEnter, type ServerUser, userForInitdb } from './server-user.ts'
import { explainDisk, firstLine, StartError } from './start-error.ts'
import { takeOver } from './take-over.ts'

/** The superuser of an embedded cluster; `limitAccess` decides who may log in with it. */
export const SUPERUSER = 'postgres'

/**
 * The path by which the server refers to its working directory. If it runs as another user, a
 * parent such as /root may be closed to it, but its working directory stays accessible.
 */
export function nameForServer(directory: string, user: ServerUser): string {
  return !user || canEnter(directory, user) ? directory : '/proc/self/cwd'
}

/**
 * Creates the cluster in `directory` unless it exists. It is created in a sibling directory and
 * renamed, so that an interrupted start leaves no half-finished cluster.
 */
export async function prepareCluster(
  directory: string,
  binaries: Binaries,
  user: ServerUser,
): Promise<void> {
  if (isCluster(directory, binaries, user)) return

  const unfinished = `${directory}.init`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  const maker = userForInitdb(user)
  if (maker) chownSync(unfinished, maker.uid, maker.gid)
  await initdb(unfinished, binaries, maker)
  if (user && maker?.uid !== user.uid) takeOver(unfinished, user)
  syncDirectory(unfinished)
  renameSync(unfinished, directory)
  syncDirectory(dirname(directory))
}

function isCluster(directory: string, { major }: Binaries, user: ServerUser): boolean {
  const entry = statSync(directory, { throwIfNoEntry: false })
  if (!entry) return false
  const uid = user?.uid ?? process.getuid?.()
  if (uid !== undefined && entry.uid !== uid) {
    throw new StartError(
      `DATA_DIR: ${directory} belongs to the user with id ${entry.uid}; start Karras as that user or as root.`,
    )
  }
  const version = entry.isDirectory()
    ? readTextIfThere(join(directory, 'PG_VERSION'))?.trim()
    : null
  if (typeof version !== 'string') {
    if (entry.isDirectory() && readdirSync(directory).length === 0) return false
    throw new StartError(
      `DATA_DIR: ${directory} holds something that is not a PostgreSQL database; move it away, or choose another DATA_DIR.`,
    )
  }
  if (!/^\d+$/.test(version)) {
    throw new StartError(
      `DATA_DIR: ${join(directory, 'PG_VERSION')} is damaged, and with it perhaps the database; restore a backup.`,
    )
  }
  if (version !== major) {
    throw new StartError(
      `DATA_DIR: ${directory} was made by PostgreSQL ${version} and this Karras carries ${major}; back it up with the Karras that made it and restore it with this one.`,
    )
  }
  return true
}

async function initdb(directory: string, { bin }: Binaries, user: ServerUser): Promise<void> {
  const place = ['--pgdata', nameForServer(directory, user)]
  const options = ['--username', SUPERUSER, '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8']
  const environment = { ...user, cwd: directory, env: programEnvironment() }
  const failure = await promisify(execFile)(
    join(bin, 'initdb'),
    [...place, ...options],
    environment,
  ).then(
    () => null,
    (error) => error,
  )
  if (failure === null) return
  const complaints = String(failure.stderr || failure)
  const complaint = complaints.split('\n').find((line) => /error:|fatal:/i.test(line))
  if (/No space left on device/.test(complaints)) {
    throw explainDisk(Object.assign(new Error(complaint), { code: 'ENOSPC' }), dirname(directory))
  }
  throw new StartError(
    `DATA_DIR: the database in ${dirname(directory)} could not be made (${complaint ?? firstLine(complaints)}).`,
  )
}

/** Flushes the renaming in a directory to the disk. */
export function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
