import type { NewItem } from '../../rules/cart.ts'
import { $session } from '../account/session.ts'
import { addToCart } from '../cart/cart.ts'
import { $dialog, closeDialog, openDialog } from '../shared/dialogs.ts'

/** "Add to cart": at once if logged in, or after the anonymous-shopping prompt. */
export function addOrAskToLogIn(item: NewItem): void {
  if ($session.get()) addToCart(item)
  else openDialog({ kind: 'anonymous-shopping', item })
}

/** "Buy now": opens the purchase modal if logged in, or the same prompt. */
export function buyOrAskToLogIn(item: NewItem): void {
  openDialog({ kind: $session.get() ? 'purchase' : 'anonymous-shopping', item })
}

/** "Continue" of the prompt: adds to the local cart, if the prompt was about the cart. */
export function continueAnonymously(): void {
  const dialog = $dialog.get()
  if (dialog?.kind !== 'anonymous-shopping') return
  closeDialog()
  if (dialog.item) addToCart(dialog.item)
}
