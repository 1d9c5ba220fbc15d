import type { NewItem } from './cart.ts'

/** What the controls of a document do; `data-do` names it in the markup. */
export type Act = 'add' | 'buy' | 'wish' | 'read' | 'download'

/** A document as its controls name it. */
export type TappedItem = NewItem & { title: string; price: number }

/** A press on a control of a document. */
export interface Tap {
  act: Act
  item: TappedItem
  /** On the document's own page, and not on its card. */
  isOnDetails: boolean
}

/** What a visitor who is not logged in is asked in place of the act. */
export type Question = 'anonymous-shopping' | 'login-required'

/** How long a notice is shown (ms). */
export const NOTICE_MS = 5000

/** What a press leads to: its act, the cart where the document is in it already, or a question. */
export function answerTo(
  { act, isOnDetails }: Tap,
  { isIn, isInCart }: { isIn: unknown; isInCart: boolean },
): Act | Question | 'open-cart' {
  if (act === 'add' && isInCart) return 'open-cart'
  if (isIn || act === 'read' || act === 'download') return act
  return act === 'wish' && !isOnDetails ? 'login-required' : 'anonymous-shopping'
}

/** The document that a question is about: "continue" puts it into the cart. A wish is no purchase. */
export function itemAskedAbout({ act, item }: Tap): TappedItem | null {
  return act === 'wish' ? null : item
}

/** What the shop's own scripts hand on to the islands: what they show, and what they leave to them. */
export interface Early {
  /** Entries that the browser's storage did not take. */
  kept: Record<string, string>
  /** The question on the screen. */
  question?: { kind: Question; item: TappedItem | null } | undefined
  /** The last document that was put into the cart; `at` (ms since 1970) is 0 once the notice was dismissed. */
  added?: { item: TappedItem; at: number }
  /** Presses that only the islands can answer, and their controls. */
  held: [Tap, HTMLElement][]
  /** What the visitor did before the page's script was there; absent from then on. */
  events?: Event[]
  /** Answers presses once the islands are there. */
  answer?: (tap: Tap, control: HTMLElement) => void
}

declare global {
  interface Window {
    /** Not in the office. */
    early?: Early
  }
}
