import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { StartError } from './start-error.ts'

/** The unprivileged user that PostgreSQL runs as when we are root; `undefined`: our own user. */
export type ServerUser = { uid: number; gid: number } | undefined

/**
 * Users shared by several services: any process that runs as `nobody` could read files of `nobody`.
 */
export const NOBODY = { uid: 65534, gid: 65534 }

// Ids that neither Debian nor systemd assigns, within the range of containers.
const FIRST = 60_578
const LAST = 61_183

/**
 * The user that runs the server. PostgreSQL refuses root, so root runs it as another user: the
 * owner of the cluster or of its directory, or otherwise an unused id, which then owns the cluster.
 * `nobody` and root count as owners only if they own everything.
 */
export function serverUserFor(cluster: string, home: string): ServerUser {
  if (process.getuid?.() !== 0) return undefined
  if (process.platform !== 'linux') {
    throw new StartError(
      'The embedded database does not run as root on this system; start Karras as an ordinary user, or set DATABASE_URL.',
    )
  }
  const owner = ownerOf(cluster)
  if (owner && !isShared(owner)) return owner
  const host = ownerOf(home)
  return host && host.uid !== 0 ? host : unusedUser(home)
}

/** Whether a user is shared by services, so that a database of theirs is given to another user. */
export function isShared({ uid }: { uid: number }): boolean {
  return uid === 0 || uid === NOBODY.uid
}

/**
 * The user that runs `initdb`, which, unlike the server, needs a user with a name: an account that
 * runs no processes at the moment, so that nobody else acts as it.
 */
export function userForInitdb(user: ServerUser): ServerUser {
  if (!user) return undefined
  const accounts = accountsOfSystem()
  if (accounts.some(({ uid }) => uid === user.uid)) return user
  const busy = usersOfProcesses()
  return accounts.find(({ uid }) => uid > 0 && uid < 1000 && !busy.has(uid)) ?? NOBODY
}

/** Whether the user can enter a directory and all its parents. */
export function canEnter(directory: string, user: ServerUser): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', 'cd -- "$0"', directory], {
    ...user,
    cwd: '/',
    stdio: 'ignore',
  })
  return status === 0
}

function ownerOf(path: string): { uid: number; gid: number } | undefined {
  const entry = statSync(path, { throwIfNoEntry: false })
  return entry && { uid: entry.uid, gid: entry.gid }
}

/** Derived from the directory's name, so that the same server gets the same user again. */
function unusedUser(home: string): { uid: number; gid: number } {
  const taken = usersOfProcesses().union(new Set(accountsOfSystem().map(({ uid }) => uid)))
  const count = LAST - FIRST + 1
  const start = createHash('sha256').update(home).digest().readUInt32BE() % count
  for (let step = 0; step < count; step += 1) {
    const uid = FIRST + ((start + step) % count)
    if (!taken.has(uid)) return { uid, gid: uid }
  }
  throw new StartError('There is no free user for the embedded database; set DATABASE_URL.')
}

function accountsOfSystem(): { uid: number; gid: number }[] {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .filter((fields) => fields.length >= 4)
      .map(([, , uid, gid]) => ({ uid: Number(uid), gid: Number(gid) }))
  } catch {
    return []
  }
}

function usersOfProcesses(): Set<number> {
  const users = new Set<number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8')
      const [, ids = ''] = /^Uid:\s*(.+)$/m.exec(status) ?? []
      for (const id of ids.split(/\s+/)) users.add(Number(id))
    } catch {} // it has ended
  }
  return users
}
