// Filters the shop and turns its pages without reloads: fetches the same URLs in the background and
// swaps the results in. Everything also works without this script.

const form = document.querySelector<HTMLFormElement>('#filters')
/** The address that browsers share in the page's place. */
const CANONICAL = 'link[rel="canonical"]'
const SWAPPED = ['#results', '#result-count', '#active-count', '#shop-title', '#sort']
let pending: XMLHttpRequest | undefined

/** The URL that the form submits to, without empty fields. */
function formAddress(): URL {
  const address = new URL(form?.action ?? location.href)
  for (const [name, value] of new FormData(form ?? undefined)) {
    if (typeof value === 'string' && value.trim()) address.searchParams.set(name, value.trim())
  }
  return address
}

/**
 * Fills the form from a URL, after a press on a chip, on the pager or on the browser's back button.
 */
function fillForm({ searchParams }: URL): void {
  for (const control of form?.elements ?? []) {
    if (control instanceof HTMLInputElement && control.type === 'radio') {
      control.checked = control.value === (searchParams.get(control.name) ?? '')
    } else if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) {
      control.value = searchParams.get(control.name) ?? ''
    }
  }
}

/**
 * Copies the counts beside the filters, and which values are disabled; the controls stay and keep
 * the focus.
 */
function showCounts(page: Document): void {
  const [controls, fresh] = [document, page].map((one) =>
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
    else {
      const count = other.nextElementSibling?.getAttribute('data-count')
      if (count) control.nextElementSibling?.setAttribute('data-count', count)
      else control.nextElementSibling?.removeAttribute('data-count')
    }
  }
}

/** Fetches a URL and swaps its results in; if that fails, the browser navigates to it. */
function show(address: URL, { scroll }: { scroll: boolean }): void {
  pending?.abort()
  const request = new XMLHttpRequest()
  pending = request
  document.querySelector('#results')?.setAttribute('aria-busy', 'true')
  request.open('GET', address)
  // The browser itself parses the document, so that no markup passes through a script (Trusted
  // Types).
  request.responseType = 'document'
  request.onerror = () => location.assign(address)
  request.onload = () => {
    const page = request.responseXML
    if (!page?.querySelector('#results')) return location.assign(address)
    for (const part of SWAPPED) {
      const [old, fresh] = [document.querySelector(part), page.querySelector(part)]
      // A live region is announced only if its own text changes, so it must not be replaced.
      if (part !== '#results') old?.replaceChildren(...(fresh?.childNodes ?? []))
      else if (old && fresh) old.replaceWith(fresh)
    }
    showCounts(page)
    document.title = page.title
    document.querySelector(CANONICAL)?.remove()
    document.head.append(...page.querySelectorAll(CANONICAL))
    document.dispatchEvent(new Event('catalogue:swapped'))
    if (!scroll) return
    const results = document.querySelector<HTMLElement>('#results')
    results?.focus({ preventScroll: true })
    document.querySelector('#shop-title')?.scrollIntoView({ block: 'nearest' })
  }
  request.send()
}

function go(address: URL, options = { scroll: false }): void {
  if (address.href === location.href) return
  history.pushState(null, '', address)
  show(address, options)
}

/** Whether the visitor has chosen another value than the page was rendered with. */
function isChanged(control: Element): boolean {
  if (control instanceof HTMLInputElement) return control.checked !== control.defaultChecked
  if (!(control instanceof HTMLSelectElement)) return false
  const rendered = Array.from(control.options).findIndex((option) => option.defaultSelected)
  return control.selectedIndex !== Math.max(rendered, 0)
}

// Chosen before this script was there.
if (Array.from(form?.elements ?? []).some(isChanged)) go(formAddress())

form?.addEventListener('submit', (event) => {
  event.preventDefault()
  go(formAddress())
  const sheet = document.querySelector<HTMLElement>('#filter-sheet:popover-open')
  sheet?.hidePopover()
})
// `change` of the fields that belong to the form by their `form` attribute arrives here as well.
document.addEventListener('change', ({ target }) => {
  const control = target as HTMLInputElement
  if (control.form === form && form) go(formAddress())
})
document.addEventListener('click', (event) => {
  const link = (event.target as Element).closest?.<HTMLAnchorElement>(
    '.chips a, .pager a[href], .spelling a, .results .empty-state a',
  )
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return
  event.preventDefault()
  const address = new URL(link.href)
  fillForm(address)
  go(address, { scroll: true })
})
addEventListener('popstate', () => {
  const address = new URL(location.href)
  fillForm(address)
  show(address, { scroll: false })
})
