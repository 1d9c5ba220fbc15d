import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readTextIfThere } from '../files/files.ts'
import { codeOf, StartError } from './start-error.ts'

/** A mark in the command line of the servers that Karras starts. */
export const CLUSTER_NAME = 'karras'

// Milliseconds until remaining processes are sent the signal for an immediate shutdown,
// and until the start fails.
const LIMITS = { patience: 15_000, limit: 30_000 }

/**
 * Waits until no process works in a cluster's directory and removes the leftovers of its server:
 * `postmaster.pid` and, in the socket's directory, the socket and its lock. Only the owner of the
 * directory may call this: a process found there was started by an owner that has ended, and is
 * sent a signal to stop.
 */
export async function settleLeftovers(
  directory: string,
  socketDirectory: string,
  log: (line: string) => void,
  { patience, limit } = LIMITS,
): Promise<void> {
  const pidFile = join(directory, 'postmaster.pid')
  const since = performance.now()
  let lastSignal: NodeJS.Signals | undefined

  for (;;) {
    const postmaster = readPid(pidFile)
    const workers = serversIn(directory, postmaster)
    if (workers.length === 0) break
    const waited = performance.now() - since
    if (waited > limit || (postmaster && workers.includes(postmaster) && !isOurs(postmaster))) {
      throw new StartError(
        `DATA_DIR: another PostgreSQL (process ${workers.join(', ')}) works in ${directory}; stop it and start again.`,
      )
    }
    // SIGINT is a fast shutdown, which writes everything; SIGQUIT leaves that to the recovery at
    // the next start.
    const signal = waited > patience ? 'SIGQUIT' : 'SIGINT'
    if (lastSignal !== signal) {
      log(`waiting for the earlier database server (process ${workers.join(', ')}) to stop`)
      if (postmaster && workers.includes(postmaster)) send(postmaster, signal)
      else if (signal === 'SIGQUIT') for (const pid of workers) send(pid, signal)
      lastSignal = signal
    }
    await wait(20)
  }
  // The process named in them has ended, or its number now belongs to another process.
  rmSync(pidFile, { force: true })
  if (!existsSync(socketDirectory)) return
  for (const name of readdirSync(socketDirectory)) {
    if (name.startsWith('.s.PGSQL.')) rmSync(join(socketDirectory, name))
  }
}

function readPid(pidFile: string): number | undefined {
  const pid = Number.parseInt(readTextIfThere(pidFile) ?? '', 10)
  return pid > 1 ? pid : undefined
}

// All processes of a server, including orphaned ones, have the cluster as their working directory.
function serversIn(directory: string, postmaster: number | undefined): number[] {
  if (process.platform !== 'linux') {
    return postmaster && commandOf(postmaster).includes(directory) ? [postmaster] : []
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return (
          readlinkSync(`/proc/${pid}/cwd`) === directory &&
          readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres'
        )
      } catch {
        return false // ended meanwhile, or of another user
      }
    })
}

function isOurs(pid: number): boolean {
  const command = commandOf(pid)
  // The process may have ended in the meantime.
  return command === '' || command.includes(`cluster_name=${CLUSTER_NAME}`)
}

function commandOf(pid: number): string {
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-o', 'command=', '-p', `${pid}`], { encoding: 'utf8' }).stdout ?? ''
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}
