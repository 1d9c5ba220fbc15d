// Part of the intent script: handles presses on the controls of documents, which are plain markup,
// by the same rules and with the same saved data as the islands. Once the islands are hydrated,
// they take over from `early`, in the same elements.
import { bareAmount } from '../i18n/format.ts'
import type { Locale } from '../i18n/locales.ts'
import { accountAddress } from '../islands/parts/addresses.ts'
import { savedItem } from '../rules/cart.ts'
import { finalPrice } from '../rules/discount.ts'
import {
  PAINT_EVENT,
  STATIC_CART_KEY,
  UNSENT_WISHES_KEY,
  WISHED_KEY,
} from '../rules/storage-keys.ts'
import {
  type Act,
  answerTo,
  itemToContinueWith,
  NOTICE_MS,
  type Tap,
  type TappedItem,
} from '../rules/taps.ts'
import { withWish } from '../rules/wishes.ts'
import { cartIds, early, isLoggedIn, listIn, root, save, saved } from './remembered.ts'

const locale = root.lang as Locale

const find = <E extends HTMLElement>(selector: string, within: ParentNode = document) =>
  within.querySelector<E>(selector)

const tapOf = (control: HTMLElement): Tap | undefined => {
  const controls = control.closest<HTMLElement>('[data-document]')
  if (!controls) return
  const { document: id, price, discount, subject, color, picture } = controls.dataset
  return {
    act: control.dataset.do as Act,
    item: {
      documentId: Number(id),
      title: find('[data-do=add]', controls)?.lastElementChild?.textContent?.trim() ?? '',
      price: Number(price),
      priceDiscount: discount ? Number(discount) : undefined,
      subject,
      color,
      picture,
    },
    isOnDetails: controls.matches('.add-to-cart--details'),
  }
}

/**
 * The link of `later.css`, which `early.ts` has requested; missing if it failed to load: better
 * unstyled than never.
 */
const style = () => find<HTMLLinkElement>('[as=style]')

/**
 * Shows the question and the notice. They are at the end of the page, so this runs again as more of
 * it arrives.
 */
const show = () => {
  const { question, added } = early
  if (early.answer || !(question || added) || style()?.sheet === null) return
  const dialog = question && find<HTMLDialogElement>(`[data-question=${question.kind}]`)
  if (dialog && !dialog.open) {
    const login = find<HTMLAnchorElement>('a', dialog)
    if (login) login.href = accountAddress(locale)
    dialog.showModal()
  }
  const toast = find('[data-toast]')
  if (!toast || !added) return
  const title = find('[dir]', toast)
  const price = find('.price', toast)
  const amount = finalPrice(added.item)
  toast.hidden = Date.now() > added.at + NOTICE_MS
  if (title) title.textContent = added.item.title
  if (!price) return
  price.textContent = amount ? bareAmount(locale, amount) : (price.dataset.free as string)
  price.classList.toggle('price--free', !amount)
}

const add = (item: TappedItem) => {
  if (cartIds(isLoggedIn()).has(item.documentId)) return
  early.added = { item, at: Date.now() }
  setTimeout(show, NOTICE_MS + 1)
  const items = listIn(() => saved(STATIC_CART_KEY).items)
  save(STATIC_CART_KEY, { items: [...items, savedItem(item)] })
}

const toggleWish = (id: number) => {
  const ids = listIn(() => saved(WISHED_KEY)) as number[]
  const isWished = !ids.includes(id)
  save(UNSENT_WISHES_KEY, { ...saved(UNSENT_WISHES_KEY), [id]: isWished })
  save(WISHED_KEY, withWish(ids, id, isWished))
}

const answer = (tap: Tap, control: HTMLElement) => {
  const { documentId } = tap.item
  const isIn = isLoggedIn()
  const kind = answerTo(tap, { isIn, isInCart: cartIds(isIn).has(documentId) })
  if (kind === 'open-cart') return find('.cart-link')?.click()
  dispatchEvent(new Event('karras:wake'))
  if (kind === 'add') add(tap.item)
  else if (kind === 'wish') toggleWish(documentId)
  else if (kind === 'anonymous-shopping' || kind === 'login-required')
    early.question = { kind, item: itemToContinueWith(tap) }
  else if (!control.ariaBusy) {
    control.ariaBusy = 'true'
    early.held.push([tap, control])
  }
  show()
}

// Ignores the second click of a double click, which would open the cart.
export const onClick = ({ target, detail }: MouseEvent) => {
  const control = (target as Element).closest<HTMLElement>('[data-do]')
  const tap = control && tapOf(control)
  // Only the acts add and buy sort before 'd'. A kept page cannot add or buy, since its prices may
  // be outdated.
  if (tap && (tap.act > 'd' || (detail < 2 && !root.dataset.kept)))
    (early.answer ?? answer)(tap, control)
}

// Not captured, so that a slider can stop the click at the end of a drag.
document.addEventListener('click', onClick)

// Captured before `client:intent` holds the events on a sleeping island.
addEventListener(
  'click',
  (event) => {
    const target = event.target as HTMLElement
    const dialog = target.closest<HTMLDialogElement>('[data-question]')
    const button = target.closest('button')
    if (early.answer) return
    if (dialog && (button || (target === dialog && event.detail < 2))) {
      const item = early.question?.item
      close(dialog)
      if (button?.dataset.do && item) add(item)
    } else if (button?.closest('[data-toast]') && early.added) early.added.at = 0
    else return
    event.stopImmediatePropagation()
    show()
  },
  true,
)

const close = (dialog: HTMLDialogElement) => {
  early.question = undefined
  dialog.close()
}

// After Escape; captured, because the event does not bubble.
addEventListener('close', () => (early.question = undefined), true)
addEventListener(PAINT_EVENT, show, true)
for (const end of ['load', 'error']) style()?.addEventListener(end, show)
