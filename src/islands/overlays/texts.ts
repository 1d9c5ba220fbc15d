import type { TextsAt } from '../../i18n/text-keys.ts'
import type { ReadingTexts } from './PreviewDialog.tsx'

/** `purchase:modal` of locales. */
export type PurchaseTexts = TextsAt<'purchase:modal'>

/** `cart:overlays` of locales, `library:reading` and `purchase:modal`. */
export type OverlaysTexts = TextsAt<'cart:overlays'> & {
  reading: ReadingTexts
  purchase: PurchaseTexts
}
