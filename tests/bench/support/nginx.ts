import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../src/server/http/listen.ts'
import type { BareAnswer } from './bare.ts'
import type { Bench } from './part.ts'

/**
 * nginx that sends this answer as a file for every path, with one worker, as Node has one thread. Resolves to
 * its address, or to null where nginx is not installed.
 */
export async function bareNginx(
  owner: Pick<Bench, 'onEnd'>,
  { headers, body }: BareAnswer,
): Promise<string | null> {
  const directory = await mkdtemp(join(tmpdir(), 'karras-nginx-'))
  owner.onEnd(() => rm(directory, { recursive: true, force: true }))
  // Started by root, nginx reads the file as another user.
  await chmod(directory, 0o755)
  await writeFile(join(directory, 'page'), Buffer.from(body, 'base64'))
  const { 'content-type': type = '', etag: _, ...others } = headers
  const port = await freePort('127.0.0.1')
  const lines = Object.entries(others).map(
    ([name, value]) => `add_header ${name} "${value.replaceAll(/["\\\\]/g, '\\$&')}";`,
  )
  const config = join(directory, 'nginx.conf')
  await writeFile(
    config,
    `worker_processes 1; daemon off; pid ${directory}/pid; error_log ${directory}/log;
     events { worker_connections 1024; }
     http {
       access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
       open_file_cache max=10; types {} default_type "${type}";
       client_body_temp_path ${directory}/b; proxy_temp_path ${directory}/p;
       fastcgi_temp_path ${directory}/f; uwsgi_temp_path ${directory}/u; scgi_temp_path ${directory}/s;
       server {
         listen 127.0.0.1:${port};
         location / { root ${directory}; try_files /page =404; ${lines.join(' ')} }
       }
     }`,
  )
  const child = spawn('nginx', ['-c', config, '-e', join(directory, 'log')], { stdio: 'inherit' })
  owner.onEnd(async () => child.kill())
  const url = `http://127.0.0.1:${port}`
  const hasEnded = new Promise<true>((end) => {
    child.once('error', () => end(true))
    child.once('close', () => end(true))
  })
  for (let n = 0; n < 100; n++) {
    const isOpen = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isOpen) return url
    const pause = new Promise<false>((next) => setTimeout(() => next(false), 50))
    if (await Promise.race([hasEnded, pause])) return null
  }
  throw new Error('nginx does not send the page')
}
