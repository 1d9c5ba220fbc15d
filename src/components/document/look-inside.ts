// Opens the sample of a document over its page; everything it needs is loaded at the press. If that
// fails, or if the key for a new tab is held, the link leads to the sample's own page.

// Built as a separate file: for a chunk, Vite would load a helper on every visit.
import dialogScript from './look-dialog.ts?worker&url'

document.addEventListener('click', (event) => {
  const link = (event.target as Element).closest<HTMLAnchorElement>('[data-look-inside]')
  const { button, ctrlKey, metaKey, shiftKey, altKey } = event
  if (!link || button || ctrlKey || metaKey || shiftKey || altKey) return
  event.preventDefault()
  // Load everything at once, since each round trip is expensive on a bad connection. The browser
  // itself parses the pages, so that no markup passes through a script (Trusted Types).
  const pages = new XMLHttpRequest()
  pages.open('GET', `${link.href}/pages`)
  pages.responseType = 'document'
  pages.send()
  Object.assign(new Image(), link.dataset)
  const opening = import(/* @vite-ignore */ dialogScript).then(() =>
    window.openSample?.(link, pages),
  )
  document.dispatchEvent(
    new CustomEvent('karras:loading', { detail: opening.catch(() => location.assign(link.href)) }),
  )
})

declare global {
  interface Window {
    /** Shows the sample that a link leads to in a dialog; defined once its script is loaded. */
    openSample?: (link: HTMLAnchorElement, pages: XMLHttpRequest) => Promise<void>
  }
}
