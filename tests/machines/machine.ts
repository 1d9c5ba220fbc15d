import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** The network of the machines, as in the files of docs/several-machines. */
const BRIDGE = 'karras0'

/** Directories in which the programs of a machine write: each machine has empty ones of its own. */
const OWN_DIRECTORIES = [
  '/run',
  '/srv',
  '/var/log',
  '/var/lib/postgresql',
  '/var/lib/etcd',
  '/var/lib/nginx',
  '/etc/pgbouncer',
]

/** A program that runs on a machine. */
export interface Program {
  readonly process: ChildProcess
  /** All of its output so far. */
  readonly output: () => string
  /** Sends SIGTERM and waits for the exit; resolves to the exit code. */
  stop(): Promise<number | null>
}

export interface Start {
  readonly user?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
}

export type Machine = Awaited<ReturnType<typeof openMachine>>

/** Runs a command in this network; throws with its output if it fails. */
function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Makes the network that all machines are connected to; ours are these addresses. */
export function openNetwork(addresses: readonly string[]): void {
  run('ip', 'link', 'set', 'lo', 'up')
  run('ip', 'link', 'add', BRIDGE, 'type', 'bridge')
  for (const address of addresses) run('ip', 'address', 'add', `${address}/8`, 'dev', BRIDGE)
  run('ip', 'link', 'set', BRIDGE, 'up')
}

/**
 * A machine with a network interface and writable directories of its own, which are in memory; the
 * rest of the disk is shared. Its output goes into `logs`.
 */
export async function openMachine(name: string, address: string, logs: string) {
  const holder = spawn('unshare', ['--net', '--mount', '--uts', 'sh', '-c', 'echo; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(holder.stdout, 'data')
  const log = createWriteStream(join(logs, `${name}.log`), { flags: 'a' })
  const enter = ['--target', String(holder.pid), '--net', '--mount', '--uts']
  const inside = (...command: string[]) => run('nsenter', ...enter, ...command)
  const cable = `to-${name}`
  run('ip', 'link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', `${holder.pid}`)
  run('ip', 'link', 'set', cable, 'master', BRIDGE, 'up')
  inside('hostname', name)
  inside('ip', 'link', 'set', 'lo', 'up')
  inside('ip', 'address', 'add', `${address}/8`, 'dev', 'eth0')
  inside('ip', 'link', 'set', 'eth0', 'up')
  const network = readlinkSync(`/proc/${holder.pid}/ns/net`)
  for (const directory of OWN_DIRECTORIES) {
    inside('mount', '-t', 'tmpfs', '-o', 'mode=1777', 'tmpfs', directory)
  }

  /** The processes of the machine. */
  const pids = () =>
    readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== holder.pid)
      .filter((pid) => {
        try {
          return readlinkSync(`/proc/${pid}/ns/net`) === network
        } catch {
          return false
        }
      })
      .map(Number)
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids()) {
      try {
        process.kill(pid, name)
      } catch {
        // It has ended in the meantime.
      }
    }
  }

  return {
    name,
    address,
    pids,
    /** Runs a command to its end; resolves to its output. */
    run: inside,
    start(program: string, args: readonly string[], { user, env, cwd = '/' }: Start = {}): Program {
      const as = user ? ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups'] : []
      // Entering another machine's disk leaves the present directory.
      const from = ['env', `--chdir=${cwd}`]
      const child = spawn('nsenter', [...enter, ...as, ...from, program, ...args], {
        env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const ended = once(child, 'close')
      let output = ''
      const keep = (chunk: Buffer) => {
        output = (output + chunk).slice(-1_000_000)
        log.write(chunk)
      }
      child.stdout.on('data', keep)
      child.stderr.on('data', keep)
      return {
        process: child,
        output: () => output,
        async stop() {
          child.kill('SIGTERM')
          await ended
          return child.exitCode
        },
      }
    },
    /** Ends every process of the machine at once, as if the power had failed. */
    async kill() {
      while (pids().length > 0) {
        signal('SIGKILL')
        await new Promise(setImmediate)
      }
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    /** Takes the network away without a word: packets to and from the machine vanish. */
    cutOff: () => void run('ip', 'link', 'set', cable, 'nomaster'),
    reconnect: () => void run('ip', 'link', 'set', cable, 'master', BRIDGE),
    /** The processor time of all its present processes, in seconds. */
    processorTime: () => pids().reduce((sum, pid) => sum + processorTimeOf(pid), 0),
  }
}

/** The processor time of a process and its ended children, in seconds; 0 once it has ended. */
function processorTimeOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // After the name, which may contain spaces: state is the third field, times are 14 to 17.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0)
    return ticks / 100
  } catch {
    return 0
  }
}
