import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { StartError } from './start-error.ts'

/** The unprivileged user PostgreSQL runs as when we are root; `undefined` stands for ourselves. */
export type ServerUser = { uid: number; gid: number } | undefined

const NOBODY = { uid: 65534, gid: 65534 }

/**
 * Who runs the server: PostgreSQL refuses root, so root lends it the owner of the first of `paths`
 * that belongs to somebody else, and otherwise `nobody`.
 */
export function serverUserFor(...paths: string[]): ServerUser {
  if (process.getuid?.() !== 0) return undefined
  if (process.platform !== 'linux') {
    throw new StartError(
      'The embedded database does not run as root on this system; start Karras as an ordinary user, or set DATABASE_URL.',
    )
  }
  for (const path of paths) {
    const entry = statSync(path, { throwIfNoEntry: false })
    if (entry && entry.uid !== 0) return { uid: entry.uid, gid: entry.gid }
  }
  return NOBODY
}

/** Whether that user can reach and enter a directory: all its parents count. */
export function canEnter(directory: string, user: ServerUser): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', 'cd -- "$0"', directory], {
    ...user,
    cwd: '/',
    stdio: 'ignore',
  })
  return status === 0
}
