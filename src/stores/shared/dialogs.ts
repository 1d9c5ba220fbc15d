import { atom, readonlyType } from 'nanostores'
import type { NewItem } from '../../rules/cart.ts'

export type Dialog =
  /** With the document that "Continue" puts into the cart; null after a press on a heart. */
  | { kind: 'anonymous-shopping'; item: NewItem | null }
  /** After the very first document that was put into the cart: what the wallet is. */
  | { kind: 'wallet-intro'; item: NewItem & { title: string } }
  /** The same for a logged-in customer, who can buy that document at once. */
  | { kind: 'first-purchase'; item: NewItem & { title: string } }
  /** The purchase modal of one document. */
  | { kind: 'purchase'; item: NewItem }
  /** After a press on the heart of a card while logged out. */
  | { kind: 'login-required'; item: NewItem | null }

const $open = atom<Dialog | null>(null)
export const $dialog = readonlyType($open)

export function openDialog(dialog: Dialog): void {
  $open.set(dialog)
}

export function closeDialog(): void {
  $open.set(null)
}

const WAKE = 'karras:wake'
const $areThere = atom(false)

/** Whether calls for the overlays island have been answered. */
export const overlaysAreThere = () => $areThere.set(true)

/**
 * Wakes the islands that wait for the page's call (`client:intent="on-call"`): the overlays, which
 * show purchases, previews and payments, and the form of ratings. Resolves when the overlays are
 * there; rejects if they could not be loaded.
 */
export function callOverlays(): Promise<void> {
  if ($areThere.get()) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const stop = $areThere.listen(() => {
      stop()
      resolve()
    })
    // Astro reports so that an island could not be loaded.
    document.addEventListener('astro:hydration-error', reject, { once: true })
    document.dispatchEvent(new Event(WAKE))
  })
}
