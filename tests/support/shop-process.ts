import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** The site's URL in every test: stored pages contain it, so all starts can share them. */
export const SITE_URL = 'http://127.0.0.1'

/** A shop in its own process, started as `npm start` does. */
export interface ShopProcess {
  readonly process: ChildProcess
  readonly url: string
  /** All of its output so far. */
  readonly output: () => string
  /** Resolves once it has printed this line; rejects if it exits first. */
  says(line: RegExp): Promise<void>
  /** Sends SIGTERM and waits for the exit; resolves to the exit code. */
  stop(): Promise<number | null>
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>
}

export interface Launch {
  /** The checkout whose shop is started; this one by default. */
  readonly root?: string
  /** Options of Node.js beside those of `npm start`, such as `--cpu-prof`. */
  readonly nodeOptions?: readonly string[]
  /** Run instead of the command of `npm start`. */
  readonly command?: readonly [program: string, ...parameters: string[]]
}

/** The environment without the variables of the test run; `vitest.config.ts` sets the last two. */
export function cleanEnvironment(own: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, LANG, NODE_COMPILE_CACHE, OVERLOAD_DELAY } = process.env
  return {
    PATH: [path.dirname(process.execPath), PATH].join(path.delimiter),
    HOME,
    TMPDIR,
    LANG,
    NODE_COMPILE_CACHE,
    OVERLOAD_DELAY,
    ...own,
  }
}

/**
 * Starts a shop and resolves once it has printed its URL; rejects with its output if it exits
 * first. If another process takes its chosen free port before it listens, it is started again.
 */
export async function spawnShop(
  env: Record<string, string>,
  launch: Launch = {},
): Promise<ShopProcess> {
  for (;;) {
    try {
      return await spawnOnce(env, launch)
    } catch (error) {
      const isPortTaken = /PORT \d+ on \S+ is in use/.test(String(error))
      if (env.PORT !== undefined || !isPortTaken) throw error
    }
  }
}

/** Starts the process with the command of `npm start`, but without npm in between. */
async function spawnProcess(env: NodeJS.ProcessEnv, launch: Launch) {
  const { root = ROOT, nodeOptions = [], command } = launch
  const [program, ...parameters] = command ?? (await startCommand(root, nodeOptions))
  return spawn(program, parameters, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function startCommand(
  root: string,
  nodeOptions: readonly string[],
): Promise<[string, ...string[]]> {
  const { scripts } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
  // As the shell's own parameters, options need no quoting.
  return ['sh', '-c', scripts.start.replace(' node ', ' node "$@" '), 'sh', ...nodeOptions]
}

async function spawnOnce(env: Record<string, string>, launch: Launch): Promise<ShopProcess> {
  const child = await spawnProcess(
    cleanEnvironment({ HOST: '127.0.0.1', PORT: '0', SITE_URL, ...env }),
    launch,
  )
  let output = ''
  const ended = once(child, 'close')
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      const [, address] = /Karras is open at ([^\s"]+)/.exec(output) ?? []
      if (address) resolve(address)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`The shop ended with ${code}:\n${output}`)))
  })
  return {
    process: child,
    url,
    output: () => output,
    says(line) {
      return new Promise((resolve, reject) => {
        const look = () => line.test(output) && resolve()
        child.stdout.on('data', look)
        child.once('close', () => reject(new Error(`The shop ended without ${line}:\n${output}`)))
        look()
      })
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
      return child.exitCode
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Starts a shop that must refuse to open; resolves to its exit code and output. */
export async function refusedStart(
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const child = await spawnProcess(cleanEnvironment(env), {})
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  await once(child, 'close')
  return { code: child.exitCode, output }
}
