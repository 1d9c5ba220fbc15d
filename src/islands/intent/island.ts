import { fetchModule } from './fetch-module.ts'

/**
 * The element around each island, in the intent script, and inline in pages with islands that do
 * not sleep. It replaces Astro's own, which is three times as long, and has only what this shop
 * uses: props are plain JSON values, and every component is a named or default export.
 */
type Directives = Record<
  string,
  (load: () => Promise<() => unknown>, options: unknown, island: Element) => unknown
>
type Hydrator = (
  island: Element,
) => (component: unknown, props: unknown, slots: object, options: object) => unknown

const { Astro: directives } = window as unknown as { Astro: Directives }

/** Astro writes each value as a pair of its type and itself: 1 for a list, 0 for anything else. */
const revive = ([type, value]: [number, unknown]): unknown => {
  if (type > 1) throw new TypeError(`props of type ${type}`)
  return type ? (value as [number, unknown][]).map(revive) : reviveAll(value)
}

const reviveAll = (value: unknown) =>
  value && typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, revive(one)]))
    : value

class Island extends HTMLElement {
  connectedCallback() {
    if (!this.hasAttribute('await-children') || document.readyState !== 'loading') {
      this.start()
      return
    }
    const ended = () => {
      removeEventListener('DOMContentLoaded', ended, true)
      children.disconnect()
      this.start()
    }
    const children = new MutationObserver(() => {
      if (this.lastChild?.nodeValue !== 'astro:end') return
      this.lastChild.remove()
      ended()
    })
    children.observe(this, { childList: true })
    addEventListener('DOMContentLoaded', ended, true)
  }

  attribute(name: string) {
    return this.getAttribute(name) as string
  }

  start() {
    const load = async () => {
      try {
        const [module, { default: hydrator }] = await Promise.all(
          ['component-url', 'renderer-url'].map((name) => fetchModule(this.attribute(name))),
        )
        return () => this.hydrate(module[this.attribute('component-export')], hydrator)
      } catch (error) {
        console.error(this.attribute('component-url'), error)
        return () => {}
      }
    }
    const client = this.attribute('client')
    const directive = directives[client]
    if (directive) directive(load, JSON.parse(this.attribute('opts')), this)
    else addEventListener(`astro:${client}`, () => this.start(), { once: true })
  }

  async hydrate(component: unknown, hydrator: Hydrator) {
    if (!this.isConnected) return
    const slots: Record<string, string> = {}
    // Astro sends a slot that is not rendered at first as a template.
    for (const slot of this.querySelectorAll('astro-slot,[data-astro-template]')) {
      const name = slot.getAttribute('data-astro-template') ?? slot.getAttribute('name')
      slots[name || 'default'] = slot.innerHTML
      if (slot.matches('template')) slot.remove()
    }
    const props = reviveAll(JSON.parse(this.attribute('props')))
    await hydrator(this)(component, props, slots, { client: this.attribute('client') })
    this.removeAttribute('ssr')
  }
}

if (!customElements.get('astro-island')) customElements.define('astro-island', Island)
