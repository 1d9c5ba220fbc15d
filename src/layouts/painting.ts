// Part of the page's script: shows what this browser remembers of the visitor.
import { priceParts } from '../i18n/format.ts'
import type { Locale } from '../i18n/locales.ts'
import { has } from '../rules/cart.ts'
import { $cart } from '../stores/cart/cart.ts'
import { $session } from '../stores/session/session.ts'
import {
  $orderedDocuments,
  $ownedIds,
  $savedBalance,
  $wishedIds,
} from '../stores/user-data/user-data.ts'

/** What a document is to the visitor; decides which of its controls are shown. */
type State = 'owned' | 'ordered' | 'cart' | ''

const root = document.documentElement

function paint(): void {
  const session = $session.get()
  const balance = $savedBalance.get()
  const cart = $cart.get()
  root.dataset.session = session ? 'in' : 'out'
  root.dataset.owns = String(($ownedIds.get() ?? []).length > 0)
  root.dataset.remembers = String(session !== null || cart.items.length > 0)
  write('[data-cart-count]', String(cart.items.length || ''))
  write('[data-balance]', balance === null ? '' : priceParts(root.lang as Locale, balance).number)
  for (const controls of document.querySelectorAll<HTMLElement>('[data-document]')) {
    paintControls(controls, stateOf(Number(controls.dataset.document)))
  }
  for (const heart of document.querySelectorAll<HTMLElement>('[data-heart]')) {
    heart.ariaPressed = String($wishedIds.get()?.includes(Number(heart.dataset.heart)) ?? false)
  }
}

function stateOf(documentId: number): State {
  // A document that has been paid for since is owned, no longer on order.
  if ($ownedIds.get()?.includes(documentId)) return 'owned'
  if ($orderedDocuments.get()?.[documentId]) return 'ordered'
  return has($cart.get(), documentId) ? 'cart' : ''
}

/** Gives a document the controls of its state, each with the title at its end for screen readers. */
function paintControls(controls: HTMLElement, state: State): void {
  const was = controls.dataset.state
  controls.dataset.state = state
  const button = controls.querySelector('[data-do=add]')
  const title = button?.lastElementChild
  // In the order of `ControlTemplates.astro`.
  const [add, inCart, owned] =
    document.querySelector<HTMLTemplateElement>('#controls')?.content.children ?? []
  if (was === state || !button || !title || !add || !inCart || !owned) return
  const model = state === 'cart' ? inCart : add
  button.className = model.className
  button.replaceChildren(...model.cloneNode(true).childNodes, title)
  if (state === 'owned' && !controls.querySelector('.when-owned')) {
    const buttons = owned.cloneNode(true) as Element
    for (const each of buttons.children) each.append(title.cloneNode(true))
    controls.prepend(buttons)
  }
}

function write(selector: string, text: string): void {
  for (const element of document.querySelectorAll(selector)) {
    if (element.textContent !== text) element.textContent = text
  }
}

const SHOWN = [$session, $savedBalance, $cart, $ownedIds, $orderedDocuments, $wishedIds]
for (const $store of SHOWN) $store.listen(paint)
paint()
// The shop has replaced its results: `components/shop/swap.ts`.
document.addEventListener('catalogue:swapped', paint)
