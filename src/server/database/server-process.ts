import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { programEnvironment } from '../config/environment.ts'
import type { Binaries } from './binaries.ts'
import { nameForServer } from './cluster.ts'
import { CLUSTER_NAME } from './leftovers.ts'
import type { ServerUser } from './server-user.ts'
import { StartError } from './start-error.ts'

interface Launch {
  binaries: Binaries
  user: ServerUser
  cluster: string
  socketDirectory: string
  /** PostgreSQL settings that override ours. */
  settings: Record<string, string>
  log: (line: string) => void
}

export type ServerProcess = Awaited<ReturnType<typeof launchServer>>

// The server's parent is a shell, not Node.js: when our pipe closes, because we close it or are
// killed, the watcher in the shell sends the server SIGINT, a fast shutdown.
const KEEPER = `
exec 3<&0 </dev/null
"$0" "$@" 3<&- &
server=$!
{ while read -r _; do :; done; kill -INT "$server"; } <&3 2>/dev/null &
watcher=$!
exec 3<&-
wait "$server"
code=$?
kill "$watcher" 2>/dev/null
exit "$code"
`

// The lines of the log that show why it did not start.
const LAST_LINES = 6
const LONGEST_LINE = 300

// A fast shutdown writes a checkpoint, which takes long on a slow disk.
const PATIENCE = 20_000

const OUR_SETTINGS = {
  cluster_name: CLUSTER_NAME,
  listen_addresses: '',
  unix_socket_permissions: '0700',
  port: '5432',
  max_connections: '40',
  shared_buffers: '64MB',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_line_prefix: '',
  log_checkpoints: 'off',
  // Statements and details contain personal data.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}

/**
 * Starts PostgreSQL on a prepared cluster; if it ends instead, throws a `StartError` with its
 * reason.
 */
export async function launchServer(launch: Launch) {
  const { binaries, user, cluster, socketDirectory, log } = launch
  const settings = Object.entries({
    ...OUR_SETTINGS,
    unix_socket_directories: socketDirectory,
    ...launch.settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const program = join(binaries.bin, 'postgres')
  const keeper = spawn(
    '/bin/sh',
    ['-c', KEEPER, program, '-D', nameForServer(cluster, user), ...settings],
    {
      ...user,
      cwd: cluster,
      env: programEnvironment(),
      stdio: ['pipe', 'ignore', 'pipe'],
      // Ctrl-C in the terminal is meant for this process, which stops the server after its clients.
      detached: true,
    },
  )
  keeper.stdin.on('error', () => {}) // it ended first; `ended` reports that
  const ended = new Promise<void>((resolve) => {
    keeper.once('exit', () => resolve())
    keeper.once('error', () => resolve())
  })

  let complaint = ''
  const last: string[] = []
  await new Promise<void>((ready, failed) => {
    createInterface(keeper.stderr).on('line', (line) => {
      log(line)
      last.push(line.trim().slice(0, LONGEST_LINE))
      if (last.length > LAST_LINES) last.shift()
      if (/^(FATAL|PANIC|ERROR):/.test(line)) complaint ||= line
      if (line.endsWith('database system is ready to accept connections')) ready()
    })
    keeper.once('error', failed)
    keeper.once('close', (code, signal) => {
      const reason = complaint.replace(/^\w+:\s*/, '') || `it ended with ${signal ?? code}`
      const excerpt = last.length > 0 ? ` Its last lines: ${last.join(' | ')}` : ''
      failed(
        new StartError(`DATA_DIR: the database in ${cluster} did not start (${reason}).${excerpt}`),
      )
    })
  })

  const pid = Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10)
  return {
    pid,
    /** Resolves when the server has ended, for whatever reason. */
    ended,
    /** Stops the server, which first writes everything; resolves when it has ended. */
    async stop(): Promise<void> {
      keeper.stdin.end()
      const impatience = setTimeout(() => endAtOnce(pid, log), PATIENCE)
      await ended
      clearTimeout(impatience)
    },
  }
}

// The next start recovers the data.
function endAtOnce(pid: number, log: (line: string) => void): void {
  log(`the database server (process ${pid}) takes too long to stop: ending it at once`)
  try {
    process.kill(pid, 'SIGQUIT')
  } catch {} // it has ended meanwhile
}
