import type { AstroIntegration } from 'astro'
import { astroMarkup } from './astro-markup.ts'
import { headScripts } from './head-scripts.ts'
import { inlineConstants, islandChunks } from './island-chunks.ts'
import { localeRoutes } from './locale-routes.ts'

/** The site's set-up of Astro: addresses in all languages, scripts for the head, few files for islands. */
export function publishing(): AstroIntegration {
  return {
    name: 'karras:publishing',
    hooks: {
      'astro:config:setup': (setup) => {
        localeRoutes(setup)
        setup.updateConfig({
          vite: {
            plugins: [headScripts(setup.config.srcDir), astroMarkup, inlineConstants],
            // Set here, since Astro does not read it from an environment's options.
            environments: { client: { build: islandChunks } },
          },
        })
      },
    },
  }
}
