import { has } from '../../rules/cart.ts'
import { answerTo, type Early, itemToContinueWith, type Tap } from '../../rules/taps.ts'
import { $cart, addToCart, sendLocalCart } from '../cart/cart.ts'
import { openPreview } from '../library/reading.ts'
import { $session } from '../session/session.ts'
import { $dialog, closeDialog, openDialog } from '../shared/dialogs.ts'
import { announceAdded } from '../shared/notices.ts'
import { sendWishes, toggleWish } from '../wishlist/wishlist.ts'

/**
 * Handles a press on a control of a document, and returns the answer. The page has to do
 * `open-cart` and `download` itself.
 */
export async function answerTap(tap: Tap): Promise<ReturnType<typeof answerTo>> {
  const { item } = tap
  const isInCart = has($cart.get(), item.documentId)
  const answer = answerTo(tap, { isIn: $session.get() !== null, isInCart })
  if (answer === 'add') addToCart(item)
  else if (answer === 'buy') openDialog({ kind: 'purchase', item })
  else if (answer === 'wish') toggleWish(item.documentId)
  else if (answer === 'read') void openPreview(item)
  else if (answer !== 'open-cart' && answer !== 'download')
    openDialog({ kind: answer, item: itemToContinueWith(tap) })
  return answer
}

/** Takes over what the intent script has shown and saved, and handles presses from now on. */
export function takeOver(answer: NonNullable<Early['answer']>): void {
  const { early } = window
  if (early) {
    early.answer = answer
    const { question, added, held } = early
    if (question) openDialog(question)
    if (added) announceAdded(added.item, added.at)
    for (const [tap, control] of held.splice(0)) {
      control.ariaBusy = null
      answer(tap, control)
    }
  }
  // Includes items from an earlier page that the visitor left before its islands were hydrated.
  sendLocalCart()
  sendWishes()
}

/**
 * The "Continue" button of the prompt: adds to the local cart, if the prompt was about the cart.
 */
export function continueAnonymously(): void {
  const dialog = $dialog.get()
  if (dialog?.kind !== 'anonymous-shopping') return
  closeDialog()
  if (dialog.item) addToCart(dialog.item)
}
