import { has } from '../../rules/cart.ts'
import { answerTo, type Tap } from '../../rules/taps.ts'
import { $session } from '../account/session.ts'
import { $cart, addToCart } from '../cart/cart.ts'
import { downloadDocument, openPreview } from '../library/reading.ts'
import { $dialog, closeDialog, openDialog } from '../shared/dialogs.ts'
import { announceProblem } from '../shared/notices.ts'
import { toggleWish } from '../wishlist/wishlist.ts'

/**
 * Answers a press on a control of a document, and returns with what once that is done. `open-cart` is left
 * to the page.
 */
export async function answerTap(tap: Tap): Promise<ReturnType<typeof answerTo>> {
  const { act, item } = tap
  const isInCart = has($cart.get(), item.documentId)
  const answer = answerTo(tap, { isIn: $session.get() !== null, isInCart })
  if (answer === 'add') addToCart(item)
  else if (answer === 'buy') openDialog({ kind: 'purchase', item })
  else if (answer === 'wish') toggleWish(item.documentId)
  else if (answer === 'read') void openPreview(item)
  else if (answer === 'download') {
    const problem = await downloadDocument(item, 'details')
    if (problem) announceProblem(problem)
  } else if (answer === 'login-required') openDialog({ kind: answer, item: null })
  else if (answer === 'anonymous-shopping')
    openDialog({ kind: answer, item: act === 'wish' ? null : item })
  return answer
}

/** "Continue" of the prompt: adds to the local cart, if the prompt was about the cart. */
export function continueAnonymously(): void {
  const dialog = $dialog.get()
  if (dialog?.kind !== 'anonymous-shopping') return
  closeDialog()
  if (dialog.item) addToCart(dialog.item)
}
