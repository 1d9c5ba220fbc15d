import node from '@astrojs/node'
import type { AstroIntegration } from 'astro'

/**
 * `@astrojs/node` with our entry instead of its own: the built site is a function from a
 * request to a response (`entry.ts`), which the publisher calls in-process. The adapter's handler
 * would put Node's request and response and its own static files between the two, and cannot send
 * what was compressed beforehand.
 */
export function karrasAdapter(): AstroIntegration {
  const adapter = node({ mode: 'middleware' })
  const done = adapter.hooks['astro:config:done']
  return {
    ...adapter,
    hooks: {
      ...adapter.hooks,
      'astro:config:done': (context) =>
        done?.({
          ...context,
          setAdapter: (given) =>
            context.setAdapter({
              ...given,
              serverEntrypoint: new URL('../site/entry.ts', import.meta.url),
            }),
        }),
    },
  }
}
