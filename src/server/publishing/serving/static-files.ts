import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname, join, sep } from 'node:path'
import { WORKER_ADDRESS } from '../../../rules/offline.ts'
import { isCompressible, mediaTypeOf } from '../answers/compression.ts'
import { policyOfBuilt } from '../answers/content-security-policy.ts'
import { contentHash } from '../answers/etags.ts'
import { Representation } from '../answers/representation.ts'
import { damagedBuild } from '../build/builds.ts'
import { pageHeaders } from '../site/site.ts'

/** Answers a GET or HEAD for a file of the build; false for anything else. */
export type StaticFiles = (req: IncomingMessage, res: ServerResponse) => boolean | Promise<boolean>

/** The names of Astro's assets contain a hash of their content, so they may be cached forever. */
const IMMUTABLE = 'public, max-age=31536000, immutable'
const REVALIDATED = 'public, max-age=3600, must-revalidate'

/** Headers of the service worker: it calls only this shop, and no cache serves an older version. */
const WORKER_HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy': "default-src 'none'; connect-src 'self'",
}
/** Sent as the worker if the operator has switched it off. */
const WORKER_OFF = '/sw-off.js'

/**
 * Serves the built client files from memory, compressed in advance (`precompress`). Addresses are
 * looked up in the list of files made at the start, so that no path is ever derived from a request.
 * `headers` are sent with every file, besides its own. Without `keepsPages` the service worker is
 * replaced by one that removes itself and everything that it stored.
 */
export function staticFiles(
  directory: string,
  headers: Readonly<Record<string, string>> = {},
  keepsPages = true,
): StaticFiles {
  const files = new Map<string, Representation>()
  try {
    for (const { file, path } of filesIn(directory)) {
      const isVariant = /\.(br|gz)$/.test(file) && existsSync(file.slice(0, -3))
      // Prerendered pages are not served as files: see `prerenderedPages`.
      if (isVariant || path.endsWith('.html') || !statSync(file).isFile()) continue
      const type = mediaTypeOf(file)
      files.set(
        path,
        represent(file, () => ({
          'content-type': type,
          'cache-control': path.startsWith('/_astro/') ? IMMUTABLE : REVALIDATED,
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'same-origin',
          ...((path === WORKER_ADDRESS || path === WORKER_OFF) && WORKER_HEADERS),
          ...headers,
        })),
      )
    }
    const workerOff = files.get(WORKER_OFF)
    if (!keepsPages && workerOff) files.set(WORKER_ADDRESS, workerOff)
  } catch (error) {
    throw damagedBuild(dirname(directory), error)
  }
  return (req, res) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return false
    const file = files.get(pathOf(req.url ?? '/'))
    return file ? file.send(req, res) : false
  }
}

/** The path of a request's target, decoded if possible. */
function pathOf(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1)
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const filesIn = (directory: string) =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) => ({
    file: join(directory, name),
    path: `/${name.split(sep).join('/')}`,
  }))

function represent(
  file: string,
  headersOf: (body: Buffer) => Readonly<Record<string, string>>,
): Representation {
  const body = readFileSync(file)
  const variant = (name: string) =>
    isCompressible(mediaTypeOf(file)) && existsSync(name) ? readFileSync(name) : undefined
  return new Representation({
    hash: contentHash(body),
    headers: headersOf(body),
    bodies: { identity: body, br: variant(`${file}.br`), gzip: variant(`${file}.gz`) },
  })
}

/** The pages that depend on the build alone, by their paths. */
export type PrerenderedPages = ReadonlyMap<string, Representation>

/**
 * Reads the pages that Astro prerendered (`export const prerender = true`) and `precompress`
 * compressed, ready to be sent with the headers of any other page and `headers`.
 */
export function prerenderedPages(
  clientDirectory: string,
  headers: Readonly<Record<string, string>> = {},
): PrerenderedPages {
  const pages = new Map<string, Representation>()
  for (const { file, path } of filesIn(clientDirectory)) {
    const [, address] = /^(.+)\/index\.html$/.exec(path) ?? []
    if (address === undefined) continue
    const headersOf = (body: Buffer) => ({ ...pageHeaders(body, policyOfBuilt(body)), ...headers })
    pages.set(address, represent(file, headersOf))
  }
  return pages
}
