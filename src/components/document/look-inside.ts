// Loaded by `SampleStrip.astro` at the visitor's first move: gets the small pictures of a sample's pages
// when their places are on the screen, and opens the sample over the page. The dialog's code is
// loaded at the press; if that fails, or if the key for a new tab is held, the link leads to the
// sample's own page.
import { STRIP_WIDTH, samplePicture } from '../../rules/reading.ts'
// Built as a separate file: for a chunk, Vite would load a helper on every visit.
import dialogScript from './look-dialog.ts?worker&url'
import { pictureOf } from './look-picture.ts'

const strip = document.querySelector<HTMLElement>('.strip')
const sheets = strip?.querySelectorAll<HTMLElement>('.strip__pages a') ?? []
const { sample: id, key = '', sheet = '', close = '' } = strip?.dataset ?? {}
const sample = { documentId: Number(id), key }

const pageOf = (link: HTMLElement | undefined) => Number(link?.dataset.lookInside)

const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue
    seen.unobserve(target)
    const picture = new Image()
    picture.alt = ''
    picture.onload = () => target.replaceChildren(picture)
    picture.src = samplePicture(sample, pageOf(target as HTMLElement), STRIP_WIDTH)
  }
})
const isSaving =
  document.documentElement.dataset.line === 'saved' ||
  matchMedia('(prefers-reduced-data: reduce)').matches
if (!isSaving) for (const each of sheets) seen.observe(each)

strip?.addEventListener('click', (event) => {
  const link = (event.target as Element).closest('a')
  const { button, ctrlKey, metaKey, shiftKey, altKey } = event
  if (!link || button || ctrlKey || metaKey || shiftKey || altKey) return
  event.preventDefault()
  const dialog = waiting(link)
  // Load everything at once, since each round trip is expensive on a bad connection. The browser
  // itself parses the pages, so that no markup passes through a script (Trusted Types).
  const pages = new XMLHttpRequest()
  pages.open('GET', `${link.pathname}/pages`)
  pages.responseType = 'document'
  pages.send()
  const page = pageOf(link) || pageOf(sheets[0])
  Object.assign(new Image(), pictureOf(sample, page))
  import(/* @vite-ignore */ dialogScript)
    .then(() => window.openSample?.({ dialog, pages, page, sheet }))
    .catch(() => dialog.open && location.assign(link.href))
})

/** The dialog as it opens: an empty sheet, and the way back. */
function waiting(link: HTMLElement): HTMLDialogElement {
  const dialog = document.createElement('dialog')
  dialog.className = 'look-dialog'
  dialog.ariaLabel = link.ariaLabel ?? link.textContent
  const button = document.createElement('button')
  button.className = 'button button--plain'
  button.textContent = close
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
