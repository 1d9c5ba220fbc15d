import type { Language } from '../../rules/languages.ts'

/** What a payment outside the wallet needs to know of the page that starts it. */
export interface PaymentWay {
  /** Of the gateway's pages and of the mails about the payment. */
  locale: Language
  /** The origins of the shop, the page's and the configured one: only they may lead to a payment. */
  origins: readonly string[]
}
