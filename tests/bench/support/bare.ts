import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench } from './part.ts'

type Owner = Pick<Bench, 'onEnd'>

/** The bytes and headers with which a bare server answers one path. */
export interface BareAnswer {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** In base64. */
  readonly body: string
}

/** A bare Fastify that answers `{"hello":"world"}` at `/`; resolves to its address. */
export function bareFastify(owner: Owner): Promise<string> {
  return startServer(owner, ['fastify'])
}

/** A bare Node server that sends these bytes from memory; resolves to its address. */
export async function bareNode(owner: Owner, answers: readonly BareAnswer[]): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'karras-bare-'))
  owner.onEnd(() => rm(directory, { recursive: true, force: true }))
  const file = join(directory, 'answers.json')
  await writeFile(file, JSON.stringify(answers))
  return startServer(owner, ['node', file])
}

/** Reads a server's answers to requests with these headers; rejects unless all are 200. */
export function answersOf(
  url: string,
  paths: readonly string[],
  headers: Readonly<Record<string, string>> = { 'accept-encoding': 'br' },
): Promise<BareAnswer[]> {
  return Promise.all(
    paths.map(
      (path) =>
        new Promise<BareAnswer>((resolve, reject) => {
          get(url + path, { headers }, (response) => {
            const chunks: Buffer[] = []
            response.on('data', (chunk) => chunks.push(chunk))
            response.on('error', reject)
            response.on('end', () => {
              if (response.statusCode !== 200) {
                reject(new Error(`${path} is answered with ${response.statusCode}`))
                return
              }
              const headers = Object.fromEntries(
                Object.entries(response.headers)
                  .filter(([name]) => !SERVERS_OWN.includes(name))
                  .map(([name, value]) => [name, String(value)]),
              )
              resolve({ path, headers, body: Buffer.concat(chunks).toString('base64') })
            })
          }).on('error', reject)
        }),
    ),
  )
}

/** Headers that each server writes itself. */
const SERVERS_OWN = ['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding']

async function startServer(owner: Owner, parameters: string[]): Promise<string> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'bare-server.ts'), ...parameters],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  owner.onEnd(() => stop(child))
  const [line] = await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error('a bare server did not start'))),
  ])
  return String(line).trim().replace(/^at /, '')
}

async function stop(child: ReturnType<typeof spawn>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill()
  await once(child, 'exit')
}
