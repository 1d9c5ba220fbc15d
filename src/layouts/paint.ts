// Inlined into the head by `virtual:karras/paint`, to run before anything is painted: shows what
// this browser remembers of the visitor, without flicker and without React. The parts of the page
// that show it end with `PaintHere.astro`; until then they hide what may be wrong.
import { DECIMAL_MARK } from '../i18n/decimal-mark.ts'
import type { Locale } from '../i18n/locales.ts'
import {
  BALANCE_KEY,
  ORDERED_KEY,
  OWNED_KEY,
  PAINT_EVENT,
  WISHED_KEY,
} from '../rules/storage-keys.ts'
import './early.ts'
import { showFont } from './font.ts'
import './menus.ts'
import { attempt, cartIds, isLoggedIn, listIn, root, saved } from './remembered.ts'

interface Line {
  saveData: boolean
  effectiveType: string
  downlink: number
}

/**
 * The speed (megabits per second) from which on prerendering an unopened page costs a visitor
 * nothing.
 */
const FAST_MEGABITS = 5

const each = (selector: string, show: (element: HTMLElement) => void) =>
  document.querySelectorAll<HTMLElement>(selector).forEach(show)

const write = (selector: string, text: string) =>
  each(selector, (element) => {
    if (element.textContent !== text) element.textContent = text
  })

/**
 * Replaces the controls of a document by those of its state; each ends with the title, for screen
 * readers.
 */
const dress = (controls: HTMLElement, was: string | undefined, state: string) => {
  const [add, inCart, owned] =
    document.querySelector<HTMLTemplateElement>('#controls')?.content.children ?? []
  const button = controls.querySelector('[data-do=add]')
  const title = button?.lastElementChild
  if (!add || !inCart || !owned || !button || !title) return
  const isInCart = state === 'cart'
  if (isInCart || was === 'cart') {
    const model = isInCart ? inCart : add
    button.className = model.className
    button.replaceChildren(...model.cloneNode(true).childNodes, title)
  }
  if (state === 'owned' && !controls.querySelector('.when-owned')) {
    const buttons = owned.cloneNode(true) as Element
    for (const each of buttons.children) each.append(title.cloneNode(true))
    controls.prepend(buttons)
  }
}

const paint = () => {
  const isIn = isLoggedIn()
  const amount: string = (isIn && saved(BALANCE_KEY))?.toFixed?.(2) ?? ''
  const idSet = (key: string) => new Set(isIn ? listIn(() => saved(key)) : [])
  const owned = idSet(OWNED_KEY)
  const ordered = isIn && saved(ORDERED_KEY)
  const wished = idSet(WISHED_KEY)
  const cart = cartIds(isIn)

  root.dataset.session = isIn ? 'in' : 'out'
  root.dataset.owns = `${owned.size > 0}`
  root.dataset.remembers = `${!!(isIn || cart.size)}`
  write('[data-cart-count]', `${cart.size || ''}`)
  write('[data-balance]', amount.replace('.', DECIMAL_MARK[root.lang as Locale]))
  each('[data-document]', (controls) => {
    const { dataset } = controls
    const id = +(dataset.document as string)
    // A document that has been paid for since is owned, no longer on order.
    const state = owned.has(id) ? 'owned' : ordered?.[id] ? 'ordered' : cart.has(id) ? 'cart' : ''
    const was = dataset.state
    dataset.state = state
    if (was !== state) dress(controls, was, state)
  })
  each('[data-heart]', (heart) => {
    heart.ariaPressed = `${wished.has(+(heart.dataset.heart as string))}`
  })
}

// Decides which pages are prefetched: see `i18n/speculation.ts`. Not every browser reports its
// connection.
const { connection: line } = navigator as { connection?: Line }
root.dataset.line = line?.saveData
  ? 'saved'
  : line?.effectiveType === '4g' && line.downlink >= FAST_MEGABITS
    ? 'fast'
    : ''
if (!line?.saveData) showFont()

attempt(paint)
// Captured, since not all events of the document bubble up to the window. `prerenderingchange`: a
// prerendered page shows what has changed since when it is opened.
for (const event of [
  'DOMContentLoaded',
  PAINT_EVENT,
  'catalogue:swapped',
  'storage',
  'pageshow',
  'prerenderingchange',
]) {
  addEventListener(event, paint, true)
}
