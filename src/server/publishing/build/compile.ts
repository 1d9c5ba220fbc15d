import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AstroInlineConfig } from 'astro'
import { inProduction, silenceAstro } from '../../config/environment.ts'
import {
  compressBrotli,
  compressGzip,
  isCompressible,
  mediaTypeOf,
} from '../answers/compression.ts'

/**
 * Compiles the site into `outDir`, with compressed variants beside its assets. It sets `NODE_ENV`
 * meanwhile, and so needs a process of its own.
 */
export async function compileSite(config: AstroInlineConfig & { outDir: string }): Promise<void> {
  silenceAstro()
  await inProduction(async () => {
    const { build } = await import('astro')
    await build({ logLevel: 'warn', ...config })
  })
  const client = join(config.outDir, 'client')
  await refuseBuildOrigin(client)
  await precompress(client)
}

/** Throws for a prerendered page that contains its `Astro.url.origin`, which is not the shop's. */
async function refuseBuildOrigin(directory: string): Promise<void> {
  for (const name of await readdir(directory, { recursive: true })) {
    if (!name.endsWith('.html')) continue
    if (!(await readFile(join(directory, name), 'utf8')).includes('http://localhost')) continue
    throw new Error(`${name} shows the site's address: remove \`prerender\` from this page.`)
  }
}

/** Writes `.br` and `.gz` beside each file of a directory that compression makes smaller; takes 0.5 s for React. */
export async function precompress(directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  await Promise.all(
    entries.map(async (entry) => {
      if (!entry.isFile() || !isCompressible(mediaTypeOf(entry.name))) return
      const file = join(entry.parentPath, entry.name)
      const body = await readFile(file)
      const variants = { br: await compressBrotli(body, 11), gz: await compressGzip(body, 9) }
      for (const [extension, compressed] of Object.entries(variants)) {
        if (compressed.length < body.length) await writeFile(`${file}.${extension}`, compressed)
      }
    }),
  )
}
