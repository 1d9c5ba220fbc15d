import { userInfo } from 'node:os'
import { join } from 'node:path'
import { writeWholeSync } from '../files/files.ts'
import { SUPERUSER } from './cluster.ts'
import type { ServerUser } from './server-user.ts'

const MAP = 'karras'

/**
 * Writes who may connect to a cluster: over its socket, only the user we run as, or root, according to
 * the kernel. The server refuses anybody else who reaches the socket. Written at every start, for
 * clusters from the time when only the socket's directory kept others out.
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
