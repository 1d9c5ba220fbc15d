/**
 * Three shops, three servers of the database and their proxies, each on a machine of its own, under
 * load while machines fail: `npm run test:machines [-- --rounds 1]`. Needs root on Debian: it
 * installs what is missing. The machines are namespaces of Linux, with the addresses and directories
 * of docs/several-machines, whose files they use as they are. Exits with 1 if anything acknowledged
 * was lost or done twice, or a goal was missed.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { install } from '../support/debian.ts'
import { prove, ROUNDS } from './prove.ts'

/** The Debian packages, by a program of each. */
const PACKAGES = {
  '/usr/bin/etcd': 'etcd-server',
  '/usr/bin/patroni': 'patroni',
  '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15',
  '/usr/sbin/haproxy': 'haproxy',
  '/usr/sbin/nginx': 'nginx-light',
  '/usr/sbin/pgbouncer': 'pgbouncer',
  '/usr/sbin/ip': 'iproute2',
}
const INSIDE = 'KARRAS_MACHINES_DIRECTORY'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: String(ROUNDS) },
    only: { type: 'string', default: '' },
  },
})
const rounds = Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error('usage: npm run test:machines -- [--rounds <n>] [--only costs | <fault>,<fault>]')
  process.exit(2)
}
const directory = process.env[INSIDE]
// Whatever still runs ends with this process.
process.exit(directory ? await prove({ rounds, only: values.only, directory }) : outside())

/** Runs this file again in namespaces of its own; everything in them ends with it. */
function outside(): number {
  if (process.getuid?.() !== 0) {
    console.error('This needs root, to make machines out of namespaces.')
    return 2
  }
  installMissing()
  const directory = mkdtempSync(join(tmpdir(), 'karras-machines-'))
  // Programs that run as other users read their files here.
  chmodSync(directory, 0o755)
  try {
    // The shell takes care of processes whose parent was killed, as the first one of a machine does.
    const { status } = spawnSync(
      // Ends with this process, however that ends.
      'setpriv',
      [
        ...['--pdeathsig', 'KILL', 'unshare'],
        ...['--net', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child'],
        ...['bash', '-c', '"$@" & wait $!', 'bash'],
        ...[process.execPath, import.meta.filename, ...process.argv.slice(2)],
      ],
      { stdio: 'inherit', env: { ...process.env, [INSIDE]: directory } },
    )
    if (status === 0) rmSync(directory, { recursive: true, force: true })
    else console.error(`The logs are in ${directory}.`)
    return status ?? 1
  } catch (error) {
    rmSync(directory, { recursive: true, force: true })
    throw error
  }
}

function installMissing(): void {
  const missing = Object.entries(PACKAGES).filter(([program]) => !existsSync(program))
  if (missing.length === 0) return
  // Debian's package would create a cluster of its own.
  mkdirSync('/etc/postgresql-common/createcluster.d', { recursive: true })
  writeFileSync(
    '/etc/postgresql-common/createcluster.d/karras.conf',
    'create_main_cluster = false\n',
  )
  install(...missing.map(([, name]) => name))
}
