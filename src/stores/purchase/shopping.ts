import type { NewItem } from '../../rules/cart.ts'
import { $session } from '../account/session.ts'
import { addToCart } from '../cart/cart.ts'
import { $dialog, closeDialog, openDialog } from '../shared/dialogs.ts'

/** "Add to cart": at once when logged in, else after the anonymous-shopping prompt. */
export function addOrAskToLogIn(item: NewItem): void {
  if ($session.get()) addToCart(item)
  else openDialog({ kind: 'anonymous-shopping', item })
}

/** "Buy now": the purchase modal when logged in, else the same prompt. */
export function buyOrAskToLogIn(item: NewItem): void {
  openDialog({ kind: $session.get() ? 'purchase' : 'anonymous-shopping', item })
}

/** The prompt's Continue: adds to the local cart anyway, where a cart was meant. */
export function continueAnonymously(): void {
  const dialog = $dialog.get()
  if (dialog?.kind !== 'anonymous-shopping') return
  closeDialog()
  if (dialog.item) addToCart(dialog.item)
}
