// Runs in the head before anything is painted, put inline by `virtual:karras/paint`: shows what this
// browser remembers of the visitor, so that nothing flickers and no React is needed for it. Saved
// data may be of any shape, and storage may be forbidden: then it shows a visitor who is new here.
import {
  BALANCE_KEY,
  ORDERED_KEY,
  OWNED_KEY,
  PAINT_EVENT,
  SERVER_CART_KEY,
  STATIC_CART_KEY,
  TOKEN_KEY,
  WISHED_KEY,
} from '../rules/storage-keys.ts'

const root = document.documentElement
const PARSED = 'DOMContentLoaded'

const attempt = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch {
    return
  }
}

const saved = (key: string) => attempt(() => JSON.parse(localStorage[key]))

const idsIn = (key: string): unknown[] =>
  attempt(() => saved(key).items.map((item: { documentId: unknown }) => item.documentId)) ?? []

const each = (selector: string, show: (element: HTMLElement) => void) =>
  document.querySelectorAll<HTMLElement>(selector).forEach(show)

// Writes only what differs: the observer below would otherwise react to its own changes for ever.
const write = (selector: string, text: string) =>
  each(selector, (element) => {
    if (element.textContent !== text) element.textContent = text
  })

const paint = () => {
  // Checks the token as `readToken` does, in fewer bytes, and removes one that cannot be used.
  const isIn =
    attempt(() => {
      const token = JSON.parse(
        atob(localStorage[TOKEN_KEY].split('.')[1].replaceAll('-', '+').replaceAll('_', '/')),
      )
      return token.userId > 0 && token.authorities.map && token.exp * 1000 > Date.now()
    }) || void attempt(() => delete localStorage[TOKEN_KEY])
  const amount: string = (isIn && saved(BALANCE_KEY))?.toFixed?.(2) ?? ''
  const idSet = (key: string) => attempt(() => new Set(isIn && saved(key))) ?? new Set()
  const owned = idSet(OWNED_KEY)
  const ordered = isIn && saved(ORDERED_KEY)
  const wished = idSet(WISHED_KEY)
  const count = new Set([...idsIn(STATIC_CART_KEY), ...(isIn ? idsIn(SERVER_CART_KEY) : [])]).size

  root.dataset.session = isIn ? 'in' : 'out'
  root.dataset.owns = `${owned.size > 0}`
  write('[data-cart-count]', count ? `${count}` : '')
  write('[data-balance]', root.lang === 'fr' ? amount.replace('.', ',') : amount)
  each('[data-document]', ({ dataset }) => {
    const id = +(dataset.document as string)
    dataset.owned = `${owned.has(id)}`
    // A document that has been paid since is owned, and no longer on order.
    dataset.ordered = `${!owned.has(id) && !!ordered?.[id]}`
  })
  each('[data-heart]', (heart) => {
    heart.ariaPressed = `${wished.has(+(heart.dataset.heart as string))}`
  })
}

attempt(paint)
const parsing = new MutationObserver(paint)
parsing.observe(root, { childList: true, subtree: true })
addEventListener(PARSED, () => parsing.disconnect())
// Captured, since not all events of the document bubble up to the window.
for (const event of [PARSED, PAINT_EVENT, 'catalogue:swapped', 'storage', 'pageshow']) {
  addEventListener(event, paint, true)
}
