import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { policyOfBuilt } from '../answers/content-security-policy.ts'
import { Representation } from '../answers/representation.ts'
import { pageHeaders } from '../site/page-headers.ts'
import { contentHash } from '../store/page-file.ts'

/** The pages that depend on the build alone, by their paths. */
export type PrerenderedPages = ReadonlyMap<string, Representation>

const FILE = /^(.*)[/\\]index\.html$/

/**
 * Reads the pages that Astro prerendered (`export const prerender = true`) and `precompress`
 * compressed, ready to be sent with the headers of any other page and `headers`.
 */
export function prerenderedPages(
  clientDirectory: string,
  headers: Readonly<Record<string, string>> = {},
): PrerenderedPages {
  const pages = new Map<string, Representation>()
  for (const name of readdirSync(clientDirectory, { recursive: true, encoding: 'utf8' })) {
    const [, path] = FILE.exec(name) ?? []
    if (path === undefined) continue
    const file = join(clientDirectory, name)
    const body = readFileSync(file)
    const address = `/${path.split(sep).join('/')}`
    pages.set(
      address,
      new Representation({
        hash: contentHash(body),
        headers: { ...pageHeaders(body, policyOfBuilt(body)), ...headers },
        bodies: {
          br: readFileSync(`${file}.br`),
          gzip: readFileSync(`${file}.gz`),
          identity: body,
        },
      }),
    )
  }
  return pages
}
