import { atom, readonlyType } from 'nanostores'
import { has } from '../../rules/cart.ts'
import { answerTo, itemToContinueWith, type Tap, type TappedItem } from '../../rules/taps.ts'
import { $cart, addToCart } from '../cart/cart.ts'
import { $session } from '../session/session.ts'
import { $dialog, closeDialog, openDialog } from '../shared/dialogs.ts'
import { toggleWish } from '../wishlist/wishes.ts'

/** A press on *download* at the controls of a document, below which the result is shown. */
export interface AskedDownload {
  item: TappedItem
  control: HTMLElement
}

const $asked = atom<AskedDownload | null>(null)

/** The last one; the overlays start it and show the result. */
export const $askedDownload = readonlyType($asked)

export const askForDownload = (download: AskedDownload): void => $asked.set(download)

/**
 * Handles a press on a control of a document, and returns the answer. The page has to do
 * `open-cart` and `download` itself.
 */
export function answerTap(tap: Tap): ReturnType<typeof answerTo> {
  const { item } = tap
  const isInCart = has($cart.get(), item.documentId)
  const answer = answerTo(tap, { isIn: $session.get() !== null, isInCart })
  if (answer === 'add') addToCart(item)
  else if (answer === 'buy') openDialog({ kind: 'purchase', item })
  else if (answer === 'wish') toggleWish(item.documentId)
  else if (answer === 'read') void openPreview(item)
  else if (answer === 'anonymous-shopping' || answer === 'login-required')
    openDialog({ kind: answer, item: itemToContinueWith(tap) })
  return answer
}

async function openPreview(item: TappedItem): Promise<void> {
  const reading = await import('../library/reading.ts')
  await reading.openPreview(item)
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
