import type { AstroIntegration } from 'astro'
import { DIRECTIVES } from '../answers/content-security-policy.ts'
import { headScripts } from './head-scripts.ts'
import { inlineConstants, islandChunks } from './island-chunks.ts'
import { localeRoutes } from './locale-routes.ts'

/**
 * The site's adapter for Astro: the built site is a function from a request to a response
 * (`site/entry.ts`), which the shop calls in-process. It also gives the pages their addresses in all
 * languages, the scripts of the head, and few files for the islands.
 */
export function publishing(): AstroIntegration {
  return {
    name: 'karras:publishing',
    hooks: {
      'astro:config:setup': (setup) => {
        localeRoutes(setup)
        setup.updateConfig({
          // The scripts and styles of Astro's development server have no hashes.
          security: {
            csp: setup.command !== 'dev' && { algorithm: 'SHA-256', directives: [...DIRECTIVES] },
          },
          vite: {
            plugins: [headScripts(setup.config.srcDir), inlineConstants],
            // Set here, since Astro does not read it from an environment's options.
            environments: { client: { build: islandChunks } },
          },
        })
      },
      'astro:config:done': ({ setAdapter }) =>
        setAdapter({
          name: 'karras:publishing',
          entrypointResolution: 'auto',
          serverEntrypoint: new URL('../site/entry.ts', import.meta.url),
          // A prerendered page gets its policy as a header, as any other.
          adapterFeatures: { staticHeaders: true },
          supportedAstroFeatures: {
            serverOutput: 'stable',
            hybridOutput: 'stable',
            sharpImageService: 'stable',
          },
        }),
    },
  }
}
