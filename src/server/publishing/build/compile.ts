import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AstroInlineConfig } from 'astro'
import { inProduction, silenceAstro } from '../../environment.ts'
import { precompress } from './precompress.ts'

/**
 * Compiles the site into `outDir`, with its assets compressed beside them. Sets `NODE_ENV`
 * meanwhile, so it wants a process of its own.
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

/** A prerendered page knows only its path: its `Astro.url.origin` is not the shop's. */
async function refuseBuildOrigin(directory: string): Promise<void> {
  for (const name of await readdir(directory, { recursive: true })) {
    if (!name.endsWith('.html')) continue
    if (!(await readFile(join(directory, name), 'utf8')).includes('http://localhost')) continue
    throw new Error(`${name} shows the site's address: remove \`prerender\` from this page.`)
  }
}
