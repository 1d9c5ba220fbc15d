// Renders islands into pages: bundled into the site in place of `@astrojs/react/server.js`, which renders each
// island twice, once to find out whether it is one, and through two web streams. Here every component of a
// framework is React's, and none waits for data.
import type { NamedSSRLoadedRendererValue, SSRResult } from 'astro'
import { type ComponentType, createElement, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'

/** How many islands of a page were rendered, so that their ids differ. */
const counts = new WeakMap<SSRResult, number>()

/** The same prefix as the browser reads from the island's attribute. */
function nextPrefix(result: SSRResult): string {
  const count = counts.get(result) ?? 0
  counts.set(result, count + 1)
  return `r${count}`
}

/** What stands between the tags of an island, which the browser's half of `@astrojs/react` finds by this element. */
function slot(html: string): ReactNode {
  return createElement('astro-slot', {
    suppressHydrationWarning: true,
    // biome-ignore lint/security/noDangerouslySetInnerHtml: Astro has rendered it from the page's template
    dangerouslySetInnerHTML: { __html: html },
  })
}

const renderer: NamedSSRLoadedRendererValue = {
  name: '@astrojs/react',
  supportsAstroStaticSlot: true,
  // A name is an element that a component chooses (`<Heading>`), which Astro renders itself.
  check: async (Component: unknown) => typeof Component !== 'string',
  async renderToStaticMarkup(
    this: { result: SSRResult },
    Component: ComponentType<Record<string, unknown>>,
    props: Record<string, unknown>,
    { default: children, ...named }: Record<string, string>,
  ) {
    const [name] = Object.keys(named)
    if (name) throw new Error(`An island takes no slot but its children, not "${name}".`)
    const prefix = nextPrefix(this.result)
    const element = createElement(Component, props, ...(children?.trim() ? [slot(children)] : []))
    return { html: renderToString(element, { identifierPrefix: prefix }), attrs: { prefix } }
  },
}

export default renderer
