import { userInfo } from 'node:os'
import { join } from 'node:path'
import { writeWholeSync } from '../files/files.ts'
import { SUPERUSER } from './cluster.ts'
import type { ServerUser } from './server-user.ts'

const MAP = 'karras'

/**
 * Says who may connect to a cluster: over its socket, whom the kernel names as the user we run as,
 * or as root. Whoever else reaches the socket is refused by the server. Written at every start, for
 * clusters that were made when the socket's directory was all that kept others out.
 */
export function limitAccess(cluster: string, user: ServerUser): void {
  const names = new Set(['root', nameOfOurs()])
  // Without a name the server could not tell us from others: then its directory alone does.
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
