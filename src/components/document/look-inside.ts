// Opens the sample of a document over its page: all that shows it is loaded at the press. Where that
// fails, and with a key that opens a new tab, the link leads to the sample's own page.

// As a file of its own: as a chunk, Vite would load a helper for it with every visit.
import dialogScript from './look-dialog.ts?worker&url'

document.addEventListener('click', (event) => {
  const link = (event.target as Element).closest<HTMLAnchorElement>('[data-look-inside]')
  const { button, ctrlKey, metaKey, shiftKey, altKey } = event
  if (!link || button || ctrlKey || metaKey || shiftKey || altKey) return
  event.preventDefault()
  // All at once: on a bad line, each round trip is much of the wait. The browser itself parses the
  // pages: no markup passes through script (Trusted Types).
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
    /** Shows the sample that a link leads to in a dialog; there once its script is. */
    openSample?: (link: HTMLAnchorElement, pages: XMLHttpRequest) => Promise<void>
  }
}
