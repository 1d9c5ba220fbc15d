import type { NewItem } from './cart.ts'

/** What a control of a document does; `data-do` in the markup. */
export type Act = 'add' | 'buy' | 'wish' | 'read' | 'download'

/** Whether an act buys, at the price that the page shows. */
export const isPurchase = (act: Act): boolean => act === 'add' || act === 'buy'

/** A document, read from the markup of its controls. */
export type TappedItem = NewItem & { title: string; price: number }

export interface Tap {
  act: Act
  item: TappedItem
  /** Whether the control is on the document's own page, not on a card. */
  isOnDetails: boolean
}

/** The question to a visitor who is not logged in, instead of the act. */
export type Question = 'anonymous-shopping' | 'login-required'

/** How long a notice is shown (ms). */
export const NOTICE_MS = 5000

/** The result of a press: its act, the cart if the document is already in it, or a question. */
export function answerTo(
  { act, isOnDetails }: Tap,
  { isIn, isInCart }: { isIn: unknown; isInCart: boolean },
): Act | Question | 'open-cart' {
  if (act === 'add' && isInCart) return 'open-cart'
  if (isIn || act === 'read' || act === 'download') return act
  return act === 'wish' && !isOnDetails ? 'login-required' : 'anonymous-shopping'
}

/**
 * The document that "continue" in a question puts into the cart; null for a wish, which is not a
 * purchase.
 */
export function itemToContinueWith({ act, item }: Tap): TappedItem | null {
  return act === 'wish' ? null : item
}

/** Problems for which a notice is the best place. */
export type NoticeProblem =
  | 'not_loaded'
  | 'download_failed'
  | 'wish_failed'
  | 'wish_full'
  | 'wish_logged_out'
