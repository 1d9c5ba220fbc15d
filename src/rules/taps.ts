import type { NewItem } from './cart.ts'

/** What a control of a document does; `data-do` in the markup. */
export type Act = 'add' | 'buy' | 'wish' | 'read' | 'download'

/** A document, read from the markup of its controls. */
export type TappedItem = NewItem & { title: string; price: number }

/** A press on a control of a document. */
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

/**
 * What the layout's scripts pass to the islands: what they show, and what the islands have to do.
 */
export interface Early {
  /** Entries that the browser's storage refused. */
  kept: Record<string, string>
  /** The question on the screen. */
  question?: { kind: Question; item: TappedItem | null } | undefined
  /**
   * The last document that was put into the cart; `at` (ms since 1970) is 0 once the notice was
   * dismissed.
   */
  added?: { item: TappedItem; at: number }
  /** Presses that only the islands can answer, and their controls. */
  held: [Tap, HTMLElement][]
  /** Resolves once the page is painted; absent for a page that is rendered ahead. */
  painted?: Promise<void> | undefined
  /** The visitor's events before the intent script was loaded; absent from then on. */
  events?: Event[]
  /** Handles presses once the islands are hydrated. */
  answer?: (tap: Tap, control: HTMLElement) => void
}

declare global {
  interface Window {
    /** Missing in the office. */
    early?: Early
  }
}
