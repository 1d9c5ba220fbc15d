// Loaded by `SampleStrip.astro` at the visitor's first move.
import { STRIP_WIDTH, samplePicture } from '../../rules/reading.ts'
import { pictureOf } from './look-picture.ts'
// Built as a separate file: for a chunk, Vite would load a helper on every visit.
import pagesScript from './sample-pages.ts?worker&url'

/**
 * Gets the small pictures of a sample's pages when their places are on the screen, and opens the
 * sample over the page. The dialog's code is loaded at the press; if that fails, or if the key for
 * a new tab is held, the link leads to the sample's own page.
 */
class SampleStrip extends HTMLElement {
  readonly #sheets = this.querySelectorAll<HTMLElement>('.strip__pages a')
  readonly #sample = {
    documentId: Number(this.dataset.sample),
    key: this.dataset.key ?? '',
  }

  connectedCallback(): void {
    const isSaving =
      document.documentElement.dataset.line === 'saved' ||
      matchMedia('(prefers-reduced-data: reduce)').matches
    if (!isSaving) this.#drawWhenSeen()
    this.onclick = (event) => {
      const link = (event.target as Element).closest('a')
      const { button, ctrlKey, metaKey, shiftKey, altKey } = event
      if (!link || button || ctrlKey || metaKey || shiftKey || altKey) return
      event.preventDefault()
      const dialog = this.#waiting(link)
      this.#fill(dialog, link).catch(() => dialog.open && location.assign(link.href))
    }
  }

  #drawWhenSeen(): void {
    const seen = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue
        seen.unobserve(target)
        const picture = new Image()
        picture.alt = ''
        picture.onload = () => target.replaceChildren(picture)
        picture.src = samplePicture(this.#sample, pageOf(target as HTMLElement), STRIP_WIDTH)
      }
    })
    for (const sheet of this.#sheets) seen.observe(sheet)
  }

  /** The dialog as it opens: an empty sheet, and the way back. */
  #waiting(link: HTMLElement): HTMLDialogElement {
    const dialog = document.createElement('dialog')
    dialog.className = 'look-dialog'
    dialog.ariaLabel = link.ariaLabel ?? link.textContent
    const button = document.createElement('button')
    button.className = 'button button--plain'
    button.textContent = this.dataset.close ?? ''
    button.onclick = () => dialog.close()
    const sheet = document.createElement('div')
    sheet.className = 'skeleton'
    dialog.append(button, sheet)
    dialog.onclose = () => {
      dialog.remove()
      // Safari does not focus a pressed link, so the dialog cannot restore its focus.
      link.focus({ preventScroll: true })
    }
    document.body.append(dialog)
    dialog.showModal()
    return dialog
  }

  /** Rejects if the pages of the sample, or their script, could not be loaded. */
  async #fill(dialog: HTMLDialogElement, link: HTMLAnchorElement): Promise<void> {
    const page = pageOf(link) || pageOf(this.#sheets[0])
    // Everything is requested at once, since each round trip is expensive on a bad connection.
    const answer = documentAt(`${link.pathname}/pages`)
    Object.assign(new Image(), pictureOf(this.#sample, page))
    const script = import(/* @vite-ignore */ pagesScript)
    const [loaded] = await Promise.all([answer, script, styleLoaded(this.dataset.sheet ?? '')])
    const pages = loaded?.querySelector('sample-pages')
    if (!pages) throw new Error('no sample')
    dialog.replaceChildren(pages)
    dialog.querySelector(`#page-${page}`)?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }
}

customElements.define('sample-strip', SampleStrip)

/** The page that a link shows, by its number in the document. */
function pageOf(link: HTMLElement | undefined): number {
  return Number(link?.dataset.lookInside)
}

/**
 * The document at an address. The browser itself parses it, so that no markup passes through a script
 * (Trusted Types).
 */
function documentAt(address: string): Promise<Document | null> {
  const request = new XMLHttpRequest()
  request.open('GET', address)
  request.responseType = 'document'
  request.send()
  return new Promise((resolve) => {
    request.onloadend = () => resolve(request.responseXML)
  })
}

let styling: Promise<unknown> | undefined

function styleLoaded(sheet: string): Promise<unknown> {
  styling ??= new Promise((resolve) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = sheet
    link.onload = resolve
    // Better unstyled than never.
    link.onerror = resolve
    document.head.append(link)
  })
  return styling
}
