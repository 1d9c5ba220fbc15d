import { join } from 'node:path'
import type { AstroInlineConfig } from 'astro'
import { precompress } from './precompress.ts'

/**
 * Compiles the site into `outDir`, with its assets compressed beside them. Sets `NODE_ENV` of this
 * process, so it wants one of its own.
 */
export async function compileSite(config: AstroInlineConfig & { outDir: string }): Promise<void> {
  process.env.ASTRO_TELEMETRY_DISABLED = '1'
  // Whatever the shop runs as: the compiler would put React's development calls into the pages.
  process.env.NODE_ENV = 'production'
  const { build } = await import('astro')
  await build({ logLevel: 'warn', ...config })
  await precompress(join(config.outDir, 'client'))
}
