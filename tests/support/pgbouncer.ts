import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { NOBODY } from '../../src/server/database/server-user.ts'
import { proxyTo } from './database-proxy.ts'
import { canInstall, install } from './debian.ts'
import { temporaryDirectory } from './directory.ts'

const PROGRAM = '/usr/sbin/pgbouncer'
/** Only a part of the name of its Unix socket. */
const PORT = 6432

/** Whether there is Debian's PgBouncer, which is installed where that is possible. */
export function hasPgbouncer(): boolean {
  if (!existsSync(PROGRAM) && canInstall()) {
    try {
      install('pgbouncer')
    } catch {
      // Without it, its tests are skipped.
    }
  }
  return existsSync(PROGRAM)
}

/**
 * The URL of a database behind a PgBouncer in transaction mode that ignores these parameters of
 * connections, until the test is over.
 */
export async function pgbouncerTo(
  databaseUrl: string,
  ignored: readonly string[],
): Promise<string> {
  // The server's own socket accepts no other user.
  const { hostname, port, username, pathname } = new URL((await proxyTo(databaseUrl)).url)
  const directory = temporaryDirectory()
  const file = join(directory, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${port} user=${username}
[pgbouncer]
listen_addr =
listen_port = ${PORT}
unix_socket_dir = ${directory}
auth_type = any
pool_mode = transaction
ignore_startup_parameters = ${ignored.join()}
`,
  )
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(directory, NOBODY.uid, NOBODY.gid)
  const pooler = spawn(PROGRAM, [file], {
    ...(isRoot && NOBODY),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(async () => {
    if (pooler.kill('SIGKILL')) await once(pooler, 'exit')
  })
  await new Promise<void>((ready, failed) => {
    createInterface(pooler.stderr).on('line', (line) => {
      if (line.includes('process up')) ready()
    })
    pooler.once('exit', () => failed(new Error('PgBouncer did not start')))
  })
  return `postgres://${username}@localhost:${PORT}${pathname}?host=${encodeURIComponent(directory)}`
}
