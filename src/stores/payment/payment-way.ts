import type { Language } from '../../rules/languages.ts'

/** What a payment outside the wallet has to know about the page that starts it. */
export interface PaymentWay {
  /** The language of the gateway's pages and of the e-mails about the payment. */
  locale: Language
  /**
   * The origins of the shop: that of the page and the configured one. Payment URLs must belong to
   * one.
   */
  origins: readonly string[]
}
