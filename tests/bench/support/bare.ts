import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Bench } from './part.ts'

/** What a server of bytes answers for one path. */
export interface BareAnswer {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** In base64. */
  readonly body: string
}

/** A bare Fastify that answers `{"hello":"world"}` at `/`; resolves to its address. */
export function bareFastify(bench: Bench): Promise<string> {
  return startServer(bench, ['fastify'])
}

/** A bare Node server that sends these bytes from memory; resolves to its address. */
export async function bareNode(bench: Bench, answers: readonly BareAnswer[]): Promise<string> {
  const directory = await temporary(bench)
  const file = join(directory, 'answers.json')
  await writeFile(file, JSON.stringify(answers))
  return startServer(bench, ['node', file])
}

/** The same bytes from nginx, as plain files; null where nginx is not installed. */
export async function nginx(bench: Bench, answers: readonly BareAnswer[]): Promise<string | null> {
  const program = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/bin/nginx'].find(existsSync)
  if (!program) return null
  const directory = await temporary(bench)
  const port = await freePort()
  const locations: string[] = []
  for (const [at, { path, headers, body }] of answers.entries()) {
    const file = join(directory, 'files', String(at))
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, Buffer.from(body, 'base64'))
    const { 'content-type': type = 'text/html', ...others } = headers
    const added = Object.entries(others)
      .filter(([name]) => !['content-length', 'date', 'connection', 'etag'].includes(name))
      .map(([name, value]) => `add_header ${name} ${JSON.stringify(value)};`)
    locations.push(
      `location = ${path} { alias ${file}; types {} default_type "${type}"; ${added.join(' ')} }`,
    )
  }
  await writeFile(
    join(directory, 'nginx.conf'),
    `daemon off; worker_processes auto; pid ${directory}/pid; error_log ${directory}/errors;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 4096; }
http {
  access_log off; sendfile on; tcp_nopush on; open_file_cache max=1000; keepalive_requests 1000000;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${directory}/${name};`).join(' ')}
  server { listen 127.0.0.1:${port}; ${locations.join('\n')} }
}`,
  )
  const child = spawn(program, ['-p', directory, '-c', join(directory, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  bench.onEnd(() => ended(child))
  const url = `http://127.0.0.1:${port}`
  while (!(await answers200(url + (answers[0]?.path ?? '/')))) {
    if (child.exitCode !== null) throw new Error('nginx did not start')
    await delay(50)
  }
  return url
}

/** Reads the answers of a server as a browser with this encoding gets them. */
export async function answersOf(
  url: string,
  paths: readonly string[],
  encoding = 'br',
): Promise<BareAnswer[]> {
  const { get } = await import('node:http')
  return Promise.all(
    paths.map(
      (path) =>
        new Promise<BareAnswer>((resolve, reject) => {
          get(url + path, { headers: { 'accept-encoding': encoding } }, (response) => {
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
                  .filter(([name]) => !HOP.includes(name))
                  .map(([name, value]) => [name, String(value)]),
              )
              resolve({ path, headers, body: Buffer.concat(chunks).toString('base64') })
            })
          }).on('error', reject)
        }),
    ),
  )
}

/** Headers that each server writes for itself. */
const HOP = ['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding']

async function startServer(bench: Bench, parameters: string[]): Promise<string> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'bare-server.ts'), ...parameters],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  bench.onEnd(() => ended(child))
  const [line] = await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error('a bare server did not start'))),
  ])
  return String(line).trim().replace(/^at /, '')
}

async function ended(child: ReturnType<typeof spawn>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill()
  await once(child, 'exit')
}

async function temporary(bench: Bench): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'karras-bare-'))
  bench.onEnd(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

const answers200 = (url: string) =>
  fetch(url).then(
    ({ status }) => status === 200,
    () => false,
  )
