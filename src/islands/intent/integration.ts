import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'

/** Makes `client:intent` known to Astro. */
export function intentDirective(): AstroIntegration {
  return {
    name: 'karras:intent',
    hooks: {
      'astro:config:setup': ({ addClientDirective }) => {
        // Astro gives this to esbuild, which takes a path and not a URL.
        const entrypoint = fileURLToPath(new URL('./intent.ts', import.meta.url))
        addClientDirective({ name: 'intent', entrypoint })
      },
    },
  }
}
