/** The address that browsers share in the page's place. */
const CANONICAL = 'link[rel="canonical"]'
const SWAPPED = ['#results', '#result-count', '#active-count', '#shop-title', '#sort']
/** The links that lead to other results. */
const LINKS = '.chips a, .pager a[href], .spelling a, .results .empty-state a'

/** Fetches the addresses of results in the background, and swaps the results in. */
class LiveShop extends HTMLElement {
  readonly #form = this.querySelector('#filters') as HTMLFormElement
  #pending: XMLHttpRequest | undefined

  connectedCallback(): void {
    // Chosen before this script was there.
    if (Array.from(this.#form.elements).some(isChanged)) this.#go(this.#formAddress())
    this.onsubmit = (event) => {
      if (event.target !== this.#form) return
      event.preventDefault()
      this.#go(this.#formAddress())
      this.querySelector<HTMLElement>('#filter-sheet:popover-open')?.hidePopover()
    }
    this.onchange = ({ target }) => {
      if ((target as HTMLInputElement).form === this.#form) this.#go(this.#formAddress())
    }
    this.onclick = (event) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>(LINKS)
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return
      event.preventDefault()
      const address = new URL(link.href)
      this.#fillForm(address)
      this.#go(address, { scroll: true })
    }
    addEventListener('popstate', () => {
      const address = new URL(location.href)
      this.#fillForm(address)
      this.#showResults(address, { scroll: false })
    })
  }

  #go(address: URL, options = { scroll: false }): void {
    if (address.href === location.href) return
    history.pushState(null, '', address)
    this.#showResults(address, options)
  }

  /** The URL that the form submits to, without empty fields. */
  #formAddress(): URL {
    const address = new URL(this.#form.action)
    for (const [name, value] of new FormData(this.#form)) {
      if (typeof value === 'string' && value.trim()) address.searchParams.set(name, value.trim())
    }
    return address
  }

  /**
   * Fills the form from a URL, after a press on a chip, on the pager or on the browser's back button.
   */
  #fillForm({ searchParams }: URL): void {
    for (const control of this.#form.elements) {
      if (control instanceof HTMLInputElement && control.type === 'radio') {
        control.checked = control.value === (searchParams.get(control.name) ?? '')
      } else if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) {
        control.value = searchParams.get(control.name) ?? ''
      }
    }
  }

  /** Swaps the results at a URL in; if that fails, the browser navigates to it. */
  #showResults(address: URL, { scroll }: { scroll: boolean }): void {
    this.#pending?.abort()
    const request = new XMLHttpRequest()
    this.#pending = request
    this.querySelector('#results')?.setAttribute('aria-busy', 'true')
    request.open('GET', address)
    // The browser itself parses the document, so that no markup passes through a script (Trusted
    // Types).
    request.responseType = 'document'
    request.onerror = () => location.assign(address)
    request.onload = () => {
      const page = request.responseXML
      if (!page?.querySelector('#results')) return location.assign(address)
      this.#swap(page)
      if (!scroll) return
      this.querySelector<HTMLElement>('#results')?.focus({ preventScroll: true })
      void this.querySelector('#shop-title')?.scrollIntoView({ block: 'nearest' })
    }
    request.send()
  }

  #swap(page: Document): void {
    for (const part of SWAPPED) {
      const [old, fresh] = [this.querySelector(part), page.querySelector(part)]
      // A live region is announced only if its own text changes, so it must not be replaced.
      if (part !== '#results') old?.replaceChildren(...(fresh?.childNodes ?? []))
      else if (old && fresh) old.replaceWith(fresh)
    }
    this.#showCounts(page)
    document.title = page.title
    document.querySelector(CANONICAL)?.remove()
    document.head.append(...page.querySelectorAll(CANONICAL))
  }

  /**
   * Shows the values with their new counts, and which are disabled; the controls stay and keep the
   * focus.
   */
  #showCounts(page: Document): void {
    const [controls, fresh] = [this, page].map((one) =>
      one.querySelectorAll<HTMLOptionElement | HTMLInputElement>(
        '#filters :is(option, [type=radio])',
      ),
    )
    const keyOf = (one: HTMLOptionElement | HTMLInputElement) =>
      `${one instanceof HTMLOptionElement ? one.closest('select')?.name : one.name} ${one.value}`
    const known = new Map(Array.from(fresh ?? [], (one) => [keyOf(one), one]))
    for (const control of controls ?? []) {
      const other = known.get(keyOf(control))
      if (!other) continue
      control.disabled = other.disabled
      if (control instanceof HTMLOptionElement) control.text = other.textContent.trim()
      else control.nextElementSibling?.replaceWith(other.nextElementSibling ?? '')
    }
  }
}

customElements.define('live-shop', LiveShop)

/** Whether the visitor has chosen another value than the page was rendered with. */
function isChanged(control: Element): boolean {
  if (control instanceof HTMLInputElement) return control.checked !== control.defaultChecked
  if (!(control instanceof HTMLSelectElement)) return false
  const rendered = Array.from(control.options).findIndex((option) => option.defaultSelected)
  return control.selectedIndex !== Math.max(rendered, 0)
}
