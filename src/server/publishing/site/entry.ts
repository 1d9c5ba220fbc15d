// The built site's entry (`dist/server/entry.mjs`): compiled by Astro, imported only by `site.ts`.

import firstPageScript from 'virtual:karras/first-page'
import islandRuntime from 'virtual:karras/island'
import gateScript from 'virtual:karras/office-gate'
import paintScript from 'virtual:karras/paint'
import paintHere from 'virtual:karras/paint-here'
import { createApp } from 'astro/app/entrypoint'
import { speculationRules } from '../../../i18n/speculation.ts'
import { deskHeadCss, headCss } from '../../../styles/head-css.ts'

/** The cache of the page being rendered. */
export { renderingCache } from './cache-provider.ts'

export const app = createApp({ streaming: false })

const { manifest } = app

// One style sheet per page, whatever chunks the sheets of its components are in: fewer bytes, and
// one hash in its policy.
for (const route of manifest.routes) {
  const content = route.styles.flatMap((style) => (style.type === 'inline' ? style.content : []))
  if (content.length > 0) route.styles = [{ type: 'inline', content: content.join('') }]
}
const routeStyles = manifest.routes.flatMap(({ styles }) => styles)

/** All inline scripts that the build can put into a page; the policy allows no others. */
export const inlineScripts = [
  islandRuntime,
  paintScript,
  speculationRules,
  paintHere,
  firstPageScript,
  gateScript,
  ...manifest.clientDirectives.values(),
  ...manifest.inlinedScripts.values(),
]

/** All inline style sheets that the build can put into a page. */
export const inlineStyles = [
  headCss,
  deskHeadCss,
  ...routeStyles.flatMap((style) => (style.type === 'inline' ? [style.content] : [])),
]
