import type { TextsAt } from '../../i18n/text-keys.ts'
import type { OpenPaymentsTexts } from '../parts/OpenPayments.tsx'

type PageTexts = TextsAt<'charging:page'>

/** `charging:page` of locales, with the name of the gateway and the payments that are still open. */
export type ChargingTexts = Omit<PageTexts, 'method'> & {
  method: PageTexts['method'] & { gateway: string }
  open: OpenPaymentsTexts
}
