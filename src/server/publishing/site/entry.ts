// The built site's entry (`dist/server/entry.mjs`): compiled by Astro, imported by `site.ts` only.

import { fontCss } from 'virtual:karras/fonts'
import { paintScript } from 'virtual:karras/paint'
import { createApp } from 'astro/app/entrypoint'
import islandRuntime from 'astro/runtime/server/astro-island.prebuilt.js'
import { ISLAND_STYLES } from 'astro/runtime/server/astro-island-styles.js'

/** What the pages' cache is given while one is rendered. */
export { renderingCache } from './cache-provider.ts'

export const app = createApp({ streaming: false })

const { manifest } = app
const routeStyles = manifest.routes.flatMap(({ styles }) => styles)

/** Every inline script that the build can put into a page; the policy allows these and no others. */
export const inlineScripts = [
  islandRuntime,
  paintScript,
  ...manifest.clientDirectives.values(),
  ...manifest.inlinedScripts.values(),
]

/** Every inline style sheet that the build can put into a page. */
export const inlineStyles = [
  ISLAND_STYLES,
  fontCss,
  ...routeStyles.flatMap((style) => (style.type === 'inline' ? [style.content] : [])),
]
