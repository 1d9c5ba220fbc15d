import { SHOP_NAME_MAX_LENGTH } from '../rules/brand.ts'
import { ORDER_MAX_DOCUMENTS } from '../rules/cart.ts'
import { DOCUMENT_PRICE_MAX } from '../rules/document-fields.ts'
import { MINUTE_MS } from '../rules/durations.ts'
import { interfaceTextProblem } from '../rules/site-pages.ts'
import { CODE_DIGITS, CODE_LIFETIME_MS, fitsOneMessage, plainMessage } from '../rules/sms.ts'
import { formatDate } from './dates.ts'
import { fillText, priceText } from './format.ts'
import type { Locale } from './locales.ts'

/** The letters of a shop's own address that a message has room for, in Arabic too. */
const ADDRESS_LENGTH = 20

/** The letters of a reason that a message has room for at least. */
const REASON_LENGTH = 30

/** A text message with the longest values that it can have. */
export function longestMessage(locale: Locale, text: string): string {
  const values = {
    amount: priceText(locale, DOCUMENT_PRICE_MAX * ORDER_MAX_DOCUMENTS),
    code: '8'.repeat(CODE_DIGITS),
    // The last of a bank account.
    digits: '8888',
    minutes: CODE_LIFETIME_MS / MINUTE_MS,
    date: longestDate(locale),
    // It is cut to what there is room for, and these letters are the least.
    reason: 'ك'.repeat(REASON_LENGTH),
    link: `https://${'w'.repeat(ADDRESS_LENGTH)}/fr/login`,
    // A name in Arabic letters leaves room for 70 characters in all.
    site: 'ك'.repeat(SHOP_NAME_MAX_LENGTH),
  }
  return plainMessage(fillText(text, values))
}

function longestDate(locale: Locale): string {
  const days = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2027, month, 28)))
  const dates = days.map((day) => formatDate(locale, day.toISOString()))
  return dates.reduce((longest, date) => (date.length > longest.length ? date : longest), '')
}

/**
 * Why a text cannot replace a shipped one; null if it can. A text message that were sent as several,
 * and paid as several, is too long.
 */
export function ownTextProblem(
  { key, locale }: { key: string; locale: Locale },
  shipped: string,
  text: string,
) {
  const isLong = key.startsWith('sms:') && !fitsOneMessage(longestMessage(locale, text))
  return interfaceTextProblem(shipped, text) ?? (isLong ? 'maxLength' : null)
}
