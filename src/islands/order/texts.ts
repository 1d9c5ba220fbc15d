import type { TextsAt } from '../../i18n/text-keys.ts'

/** `order:page` of locales. */
export type OrderTexts = TextsAt<'order:page'>

/** Who sells, as a receipt names them. */
export interface Seller {
  name: string
  addresses: readonly string[]
  phones: readonly string[]
  email: string
}
