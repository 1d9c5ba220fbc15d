// The built site's entry (`dist/server/entry.mjs`): compiled by Astro, imported only by `site.ts`.
import { createApp } from 'astro/app/entrypoint'

/** The cache of the page being rendered. */
export { renderingCache } from './cache-provider.ts'

export const app = createApp({ streaming: false })
