import { userInfo } from 'node:os'
import { join } from 'node:path'
import { writeWholeSync } from '../files/files.ts'
import { SUPERUSER } from './cluster.ts'
import type { ServerUser } from './server-user.ts'

const MAP = 'karras'

/**
 * Writes who may connect to a cluster: over its socket, only the user that this process runs as, or
 * root, as identified by the kernel. The server refuses every other user who reaches the socket.
 * Rewritten at every start, since older clusters are protected only by the socket's directory.
 */
export function limitAccess(cluster: string, user: ServerUser): void {
  const names = new Set(['root', nameOfOurs()])
  // Without a user name the server cannot identify us: then only the directory protects it.
  const method = names.has(undefined) ? 'trust' : `peer map=${MAP}`
  const options = { mode: 0o600, owner: user }
  writeWholeSync(join(cluster, 'pg_hba.conf'), `local all ${SUPERUSER} ${method}\n`, options)
  const map = [...names].map((name) => `${MAP} "${name}" ${SUPERUSER}\n`).join('')
  writeWholeSync(join(cluster, 'pg_ident.conf'), map, options)
}

function nameOfOurs(): string | undefined {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
}
