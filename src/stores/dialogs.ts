import { atom, readonlyType } from 'nanostores'
import type { NewItem } from './cart.ts'

/** The one dialog that is open over the page. */
export type Dialog =
  | { kind: 'anonymous-shopping'; item: NewItem }
  /** With the title of the document that was just added. */
  | { kind: 'wallet-intro'; added: string }

const $open = atom<Dialog | null>(null)
export const $dialog = readonlyType($open)

export function openDialog(dialog: Dialog): void {
  $open.set(dialog)
}

export function closeDialog(): void {
  $open.set(null)
}
