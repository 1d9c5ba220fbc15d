import type { NewItem } from './cart.ts'

/** What the controls of a document do; `data-do` names it in the markup. */
export type Act = 'add' | 'buy' | 'wish' | 'read' | 'download'

/** A press on a control of a document. */
export interface Tap {
  act: Act
  item: NewItem & { title: string }
  /** On the document's own page, and not on its card. */
  isOnDetails: boolean
}

/** What a visitor who is not logged in is asked in place of the act. */
export type Question = 'anonymous-shopping' | 'login-required'

/** What a press leads to: its act, the cart where the document is in it already, or a question. */
export function answerTo(
  { act, isOnDetails }: Tap,
  { isIn, isInCart }: { isIn: boolean; isInCart: boolean },
): Act | Question | 'open-cart' {
  if (act === 'add' && isInCart) return 'open-cart'
  if (isIn || act === 'read' || act === 'download') return act
  return act === 'wish' && !isOnDetails ? 'login-required' : 'anonymous-shopping'
}

type AnswerTap = (tap: Tap, control: HTMLElement) => void

declare global {
  interface Window {
    /** What the script in the head of every page of the shop hands on to the islands. */
    early?: {
      /** Presses that wait for the islands. */
      held: [Tap, HTMLElement][]
      /** Answers presses once the islands are there. */
      answer?: AnswerTap
    }
  }
}

/** Has the presses on the controls of documents answered by the islands, those that have waited first. */
export function takeOver(answer: AnswerTap): void {
  if (!window.early) return
  window.early.answer = answer
  for (const [tap, control] of window.early.held.splice(0)) {
    control.ariaBusy = null
    answer(tap, control)
  }
}
