// Loaded by `look-inside.ts`, which calls `openSample`.
import { close, next, previous } from '../../islands/parts/drawings.ts'

/** Rejects where the pages of the sample do not come. */
async function open(link: HTMLAnchorElement, pages: XMLHttpRequest): Promise<void> {
  await Promise.all([ended(pages), dressed(link.dataset.lookInside)])
  const look = pages.responseXML?.querySelector<HTMLElement>('[data-look]')
  if (!look) throw new Error('no sample')
  const dialog = dialogOf(document.adoptNode(look))
  document.body.append(dialog)
  dialog.addEventListener('close', () => {
    dialog.remove()
    // Safari gives a link no focus when it is pressed, so that the dialog cannot return it.
    link.focus({ preventScroll: true })
  })
  dialog.showModal()
}

/** Resolves once a request has its answer, or has failed. */
async function ended(request: XMLHttpRequest): Promise<void> {
  if (request.readyState === XMLHttpRequest.DONE) return
  await new Promise((resolve) => request.addEventListener('loadend', resolve))
}

let dressing: Promise<unknown> | undefined

function dressed(sheet = ''): Promise<unknown> {
  dressing ??= new Promise((resolve) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = sheet
    link.onload = resolve
    // Plain is better than never.
    link.onerror = resolve
    document.head.append(link)
  })
  return dressing
}

function dialogOf(look: HTMLElement): HTMLDialogElement {
  const { title = '', close: closing = '', next: forth = '', previous: back = '' } = look.dataset
  const dialog = document.createElement('dialog')
  dialog.className = 'look-dialog'
  dialog.ariaLabel = title
  const pages = look.querySelector<HTMLElement>('.look__pages')
  const items = [...(pages?.children ?? [])] as HTMLElement[]
  const forwards = pages?.dir === 'rtl' ? -1 : 1
  // What scrolls is reached by the keyboard.
  if (pages) pages.tabIndex = 0

  const heading = document.createElement('h2')
  heading.dir = 'auto'
  heading.textContent = title
  const place = document.createElement('output')
  place.dir = 'ltr'
  const onwards = control(forth, next, true)
  const backwards = control(back, previous, true)
  const shut = control(closing, close)
  shut.autofocus = true
  const bar = document.createElement('div')
  bar.className = 'look-dialog__bar'
  bar.append(heading, place, backwards, onwards, shut)
  dialog.append(bar, look)

  /** How far before (below 0) or after the middle of what is seen each item has its own, in pixels. */
  const offsets = () => {
    const box = pages?.getBoundingClientRect()
    const middle = box ? box.left + box.width / 2 : 0
    return items.map((item) => {
      const { left, width } = item.getBoundingClientRect()
      return (left + width / 2 - middle) * forwards
    })
  }
  const turnTo = (item: HTMLElement | undefined) => {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    const behavior = isCalm ? 'instant' : 'smooth'
    item?.scrollIntoView({ behavior, block: 'nearest', inline: 'center' })
  }
  const turn = (step: number) => {
    const away = offsets()
    if (step > 0) turnTo(items[away.findIndex((offset) => offset > NEAR)])
    else turnTo(items[away.findLastIndex((offset) => offset < -NEAR)])
  }
  const show = () => {
    const { scrollLeft = 0, scrollWidth = 0, clientWidth = 0 } = pages ?? {}
    backwards.disabled = Math.abs(scrollLeft) <= NEAR
    onwards.disabled = Math.abs(scrollLeft) + clientWidth >= scrollWidth - NEAR
    const away = offsets().map(Math.abs)
    const inTheMiddle = items[away.indexOf(Math.min(...away))]
    const shown = backwards.disabled ? items[0] : onwards.disabled ? items.at(-1) : inTheMiddle
    // The last one is no page, but what the document costs.
    place.textContent = shown?.querySelector('.look__number')?.textContent?.trim() ?? ''
  }
  let isShowing = false
  pages?.addEventListener(
    'scroll',
    () => {
      if (isShowing) return
      isShowing = true
      requestAnimationFrame(() => {
        isShowing = false
        show()
      })
    },
    { passive: true },
  )
  new ResizeObserver(show).observe(dialog)

  onwards.addEventListener('click', () => turn(1))
  backwards.addEventListener('click', () => turn(-1))
  shut.addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return
    // The page below is the one that it leads to.
    const isBack = target.closest('[data-back]')
    if (target !== dialog && !isBack) return
    dialog.close()
  })
  look.querySelector('[data-back]')?.addEventListener('click', (event) => event.preventDefault())
  dialog.addEventListener('keydown', (event) => {
    const step = STEPS[event.key]
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    if (step === 'first' || step === 'last') turnTo(items.at(step === 'first' ? 0 : -1))
    else turn(event.key.startsWith('Arrow') ? step * forwards : step)
  })
  return dialog
}

/** Differences below are none, in pixels: browsers round what they scroll. */
const NEAR = 4

/** How far a key turns; of an arrow, in a document that is read from left to right. */
const STEPS: Readonly<Record<string, number | 'first' | 'last'>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -1,
  PageDown: 1,
  Home: 'first',
  End: 'last',
}

function control(label: string, drawing: string, isMirrored = false): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.ariaLabel = label
  const space = 'http://www.w3.org/2000/svg'
  const icon = document.createElementNS(space, 'svg')
  icon.setAttribute('class', isMirrored ? 'icon icon--mirror' : 'icon')
  icon.setAttribute('viewBox', '0 0 24 24')
  icon.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(space, 'path')
  path.setAttribute('d', drawing)
  icon.append(path)
  button.append(icon)
  return button
}

window.openSample = open
