import type { ReadableAtom } from 'nanostores'
import type { Locale } from '../i18n/locales.ts'

export const root = document.documentElement

/** The language of the page. */
export const locale = root.lang as Locale

/**
 * A custom element that shows what stores hold: painted when it comes into the page, also in markup
 * that replaces other markup, and at each change of a store until it leaves the page.
 */
export abstract class Painted extends HTMLElement {
  abstract readonly stores: readonly Pick<ReadableAtom, 'listen'>[]
  #stops: (() => void)[] = []

  abstract paint(): void

  connectedCallback(): void {
    this.#stops = this.stores.map(($store) => $store.listen(() => this.paint()))
    this.paint()
  }

  disconnectedCallback(): void {
    for (const stop of this.#stops) stop()
  }
}
