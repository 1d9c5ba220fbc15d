import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** The site's address in every test: with one for all starts, the stored pages serve each of them. */
export const SITE_URL = 'http://127.0.0.1'

/** A shop in a process of its own, started as `npm start` does. */
export interface ShopProcess {
  readonly process: ChildProcess
  readonly url: string
  /** Everything it has printed so far. */
  readonly output: () => string
  /** Resolves when it has printed this. */
  says(line: RegExp): Promise<void>
  /** Asks it to stop and waits; resolves to its exit code. */
  stop(): Promise<number | null>
  /** `kill -9`, and waits until it is gone. */
  kill(): Promise<void>
}

/** The environment without what belongs to the test run itself; `vitest.config.ts` sets the last two. */
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
 * Runs `npm start`'s own command, or another, until it has printed its address; rejects with its output when
 * it ends before. `root` is the checkout whose shop it is. Where somebody took the free port that it had chosen, it is started again.
 */
export async function spawnShop(
  env: Record<string, string>,
  command?: [string, ...string[]],
  root?: string,
): Promise<ShopProcess> {
  for (;;) {
    try {
      return await spawnOnce(env, command, root)
    } catch (error) {
      const isPortTaken = /PORT \d+ on \S+ is in use/.test(String(error))
      if (env.PORT !== undefined || !isPortTaken) throw error
    }
  }
}

/** The command of `npm start` in a checkout, without npm itself; `node` is the first of the path. */
async function startCommand(root: string): Promise<[string, ...string[]]> {
  const { scripts } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
  return ['sh', '-c', scripts.start]
}

async function spawnOnce(
  env: Record<string, string>,
  command?: [string, ...string[]],
  root = ROOT,
): Promise<ShopProcess> {
  const [program, ...parameters] = command ?? (await startCommand(root))
  const child = spawn(program, parameters, {
    cwd: root,
    env: cleanEnvironment({ HOST: '127.0.0.1', PORT: '0', SITE_URL, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = once(child, 'close')
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      output += chunk
      const [, address] = /Karras is open at (\S+)/.exec(output) ?? []
      if (address) resolve(address)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
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

/** Runs `main.ts` where it is expected to refuse: its exit code and what it printed. */
export async function refusedStart(
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['src/server/main.ts'], {
    cwd: ROOT,
    env: cleanEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  await once(child, 'close')
  return { code: child.exitCode, output }
}
