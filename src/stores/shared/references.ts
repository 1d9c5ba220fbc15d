import { readableReference } from '../../rules/typed-numbers.ts'

/** A payment's reference as people read it; the page says the shop's letters (`layouts/`). */
export const shownReference = (reference: string): string =>
  readableReference(reference, globalThis.document?.documentElement?.dataset.references ?? '')
