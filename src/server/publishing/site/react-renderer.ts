// Renders islands into pages: bundled into the site in place of `@astrojs/react/server.js`, which
// renders each island twice, once to find out whether it is one, and through two web streams. Here
// every component of a framework is React's, and none waits for data.
import type { NamedSSRLoadedRendererValue, SSRResult } from 'astro'
import { type ComponentType, createElement, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { ASLEEP, type SleepingTexts } from '../../../i18n/sleeping-texts.ts'

/**
 * The HTML of islands by their props: most islands of a page are the same on every page of its
 * language.
 */
const rendered = new WeakMap<IslandComponent, Map<string, string>>()
type IslandComponent = ComponentType<Record<string, unknown>>
type Props = Record<string, unknown> & { readonly [ASLEEP]?: SleepingTexts }
/**
 * How many renderings of a component are cached, the newest: islands of documents differ for each
 * document.
 */
const KEPT = 10

/** How many islands of a page were rendered, so that their ids differ. */
const counts = new WeakMap<SSRResult, number>()

/** The same prefix as the browser reads from the island's attribute. */
function nextPrefix(result: SSRResult): string {
  const count = counts.get(result) ?? 0
  counts.set(result, count + 1)
  return `r${count}`
}

/**
 * The content of an island's slot, which the browser side of `@astrojs/react` finds by this
 * element.
 */
function slot(html: string): ReactNode {
  return createElement('astro-slot', {
    suppressHydrationWarning: true,
    // biome-ignore lint/security/noDangerouslySetInnerHtml: Astro has rendered it from the page's template
    dangerouslySetInnerHTML: { __html: html },
  })
}

/**
 * The address from which `islands/intent/intent.ts` gets the texts; the development server has no
 * such files.
 */
const addressOf = ({ src, body }: SleepingTexts): string =>
  import.meta.env.DEV ? `data:application/json,${encodeURIComponent(body)}` : src

function keep(known: Map<string, string>, key: string, html: string): void {
  known.set(key, html)
  const [oldest] = known.size > KEPT ? known.keys() : []
  if (oldest !== undefined) known.delete(oldest)
}

const renderer: NamedSSRLoadedRendererValue = {
  name: '@astrojs/react',
  supportsAstroStaticSlot: true,
  // A name is an element that a component chooses (`<Heading>`), which Astro renders itself.
  check: async (Component: unknown) => typeof Component !== 'string',
  async renderToStaticMarkup(
    this: { result: SSRResult },
    Component: IslandComponent,
    { [ASLEEP]: asleep, ...props }: Props,
    { default: children, ...named }: Record<string, string>,
  ) {
    const [name] = Object.keys(named)
    if (name) throw new Error(`An island takes no slot but its children, not "${name}".`)
    const prefix = nextPrefix(this.result)
    const key = JSON.stringify([props, children, asleep?.src])
    const known = rendered.get(Component) ?? new Map<string, string>()
    rendered.set(Component, known)
    let html = known.get(key) ?? known.get(prefix + key)
    if (html === undefined) {
      const given = { ...asleep?.props, ...props }
      const element = createElement(Component, given, ...(children?.trim() ? [slot(children)] : []))
      html = renderToString(element, { identifierPrefix: prefix })
      // HTML with generated ids belongs to its place on the page.
      keep(known, html.includes(`_${prefix}`) ? prefix + key : key, html)
    }
    return { html, attrs: { prefix, ...(asleep && { texts: addressOf(asleep) }) } }
  },
}

export default renderer
