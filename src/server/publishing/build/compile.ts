import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AstroInlineConfig } from 'astro'
import { inProduction, silenceAstro } from '../../config/environment.ts'
import { precompress } from './precompress.ts'

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
