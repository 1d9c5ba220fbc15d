import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'

/** The shop's own client directives, and the module that each is inlined from. */
const DIRECTIVES = {
  intent: './intent.ts',
  'after-first-page': '../reader/after-first-page.ts',
}

/** Registers `client:intent` and `client:after-first-page` with Astro. */
export function ownDirectives(): AstroIntegration {
  return {
    name: 'karras:directives',
    hooks: {
      'astro:config:setup': ({ addClientDirective }) => {
        for (const [name, file] of Object.entries(DIRECTIVES)) {
          // Astro gives this to esbuild, which takes a path and not a URL.
          addClientDirective({ name, entrypoint: fileURLToPath(new URL(file, import.meta.url)) })
        }
      },
    },
  }
}
