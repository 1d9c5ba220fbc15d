import react from '@astrojs/react'
import type { AstroIntegration } from 'astro'

/** `@astrojs/react` with our renderer for the server, `site/react-renderer.ts`. */
export function islands(): AstroIntegration {
  const integration = react()
  const setup = integration.hooks['astro:config:setup']
  return {
    ...integration,
    hooks: {
      ...integration.hooks,
      'astro:config:setup': (context) =>
        setup?.({
          ...context,
          addRenderer: (renderer) =>
            context.addRenderer({
              ...renderer,
              serverEntrypoint: new URL('../site/react-renderer.ts', import.meta.url),
            }),
        }),
    },
  }
}
