import type { TextsAt } from '../../i18n/text-keys.ts'
import type { OpenPaymentsTexts } from '../parts/OpenPayments.tsx'
import type { WaitingOrderTexts } from '../waiting-order/WaitingOrder.tsx'

/** `checkout` of locales, as far as its island uses it. */
export interface CheckoutTexts {
  back: string
  loading: string
  items: TextsAt<'checkout:items'>
  waiting: WaitingOrderTexts
  open: OpenPaymentsTexts
  empty: TextsAt<'checkout:empty'>
  failed: TextsAt<'checkout:failed'>
  login: TextsAt<'checkout:login'>
  /** With the name of the gateway that takes cards. */
  payment: TextsAt<'checkout:payment'> & { card: string }
  confirm: TextsAt<'checkout:confirm'>
  result: TextsAt<'checkout:result'>
}
