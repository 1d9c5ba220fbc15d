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
  await precompress(join(config.outDir, 'client'))
}
