import { plainSigns } from './pasted-text.ts'

export const PHONE_DIGITS = 8

const PHONE = new RegExp(`^(?:(?:\\+|00)?216)?([1-9]\\d{${PHONE_DIGITS - 1}})$`)

/**
 * A Tunisian phone number as its 8 digits, or null. Accepts 216, +216 and 00216, what people write
 * between digits (spaces, dots, hyphens of any kind, slashes, parentheses, invisible marks), and
 * Arabic and Persian digits.
 */
export function normalisePhone(text: string): string | null {
  return PHONE.exec(plainSigns(text).replace(/[ .()/ـ-]/g, ''))?.[1] ?? null
}

/** Text that is copied along with an amount. */
const CURRENCY_NAME = '(?:DTN?|TND|dinars?|د\\.?ت\\.?|دينار[اً]{0,2})'
const WITH_CURRENCY = new RegExp(`^${CURRENCY_NAME} ?|(?: |(?<=\\d))${CURRENCY_NAME}$`, 'giu')
/** Thousands in groups, with spaces or the Arabic sign between them. */
const GROUPED = /^\d{1,3}(?:[ ٬]\d{3})+(?:[.,٫،]|$)/

/** A typed amount with Latin digits, a dot and nothing else that an amount may be written with. */
function plainAmount(text: string): string {
  const amount = plainSigns(text).replace(WITH_CURRENCY, '').trim()
  return amount.replace(GROUPED, (digits) => digits.replace(/[ ٬]/g, '')).replace(/[,٫،]/, '.')
}

/**
 * A typed amount in dinars; null if it is not one. Reads Latin, Arabic and Persian digits, a dot, a
 * comma or an Arabic separator before the decimals, spaces between thousands, and the currency
 * beside it. Tunisians write three decimals: `7,500` is 7.5, and a third decimal other than 0 is no
 * amount.
 */
export function parseDinars(text: string): number | null {
  const plain = plainAmount(text)
  return /^(?=\.?\d)\d{0,9}(?:\.\d{0,2}0?)?$/.test(plain) ? Number(plain) : null
}

/** Why a text is no amount: it is no number, or has a third decimal, which prices do not have. */
export type AmountProblem = 'pattern' | 'thirdDecimal'

/** Why `parseDinars` does not read a text. */
export function amountProblem(text: string): AmountProblem {
  return /^\d{0,9}\.\d{2}[1-9]$/.test(plainAmount(text)) ? 'thirdDecimal' : 'pattern'
}

/** Replaces the reference in a page's URL when the payment is unknown. */
export const UNKNOWN_PAYMENT = 'unknown'

/**
 * A payment's reference in a readable form: `KR-1A2B-3C4D`, from the shop's two letters
 * (`referencePrefix`) and the first 8 of its 24 characters.
 */
export function readableReference(reference: string, prefix: string): string {
  const start = reference.slice(0, 8).toUpperCase()
  return `${prefix}-${start.slice(0, 4)}-${start.slice(4)}`
}

/**
 * In a text, after any two letters, since a shop may have had another name; on Arabic keyboards the
 * tatweel looks like a dash.
 */
const READABLE = /(?:^|\b[a-z]{2})[- ـ_]*([0-9a-f]{4})[- ـ_]*([0-9a-f]{4})$/

/**
 * The beginning of a typed reference, whole or readable; null if it is neither. Case, the kind of
 * dashes, what is before it in its line and the signs around it do not count.
 */
export function referenceStart(text: string): string | null {
  const plain = plainReference(text).toLowerCase()
  if (/^[0-9a-f]{24}$/.test(plain)) return plain
  const [, ...parts] = READABLE.exec(plain) ?? []
  return parts.length > 0 ? parts.join('') : null
}

/** A pasted reference of a payment, ours or a gateway's, whose case may matter. */
export function plainReference(text: string): string {
  const plain = plainSigns(text)
  let [start, end] = [0, plain.length]
  while (start < end && isAround(plain.charAt(start))) start++
  while (start < end && isAround(plain.charAt(end - 1))) end--
  return plain.slice(start, end)
}

/** Whether a sign is of the sentence or brackets around a reference. */
const isAround = (sign: string): boolean => !/[0-9A-Za-z_-]/.test(sign)
