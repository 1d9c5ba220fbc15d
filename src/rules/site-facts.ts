import { SHOP_NAME_MAX_LENGTH } from './brand.ts'
import { readVatRate, STAMP_DUTY_MAX } from './invoices.ts'
import { dinars, formatAmount, type Millimes } from './money.ts'
import { isBlank, plainNumber } from './pasted-text.ts'
import { TRANSFER_METHODS, type TransferMethod } from './payment-methods.ts'
import { isRib, readableRib, ribDigits } from './rib.ts'
import { readTaxNumber } from './tax-number.ts'
import { normalisePhone, parseDinars } from './typed-numbers.ts'
import { email } from './validators.ts'

/** The groups of facts; each is changed separately and has its own history. */
export const FACT_GROUPS = ['brand', 'contact', 'community', 'bank', 'd17', 'legal'] as const
export type FactGroup = (typeof FACT_GROUPS)[number]

export const PHONES_MAX = 3
export const ADDRESSES_MAX = 3
export const LINKS_MAX = 6
export const LINK_MAX_LENGTH = 200
export const FOLLOWERS_MAX = 999_999_999
/** The largest coordinates of the place on the map, in degrees; the map ends before the poles. */
export const PLACE_MAX = { latitude: 85, longitude: 180 } as const
/** The longest name, holder or line of an address, in characters. */
export const FACT_MAX_LENGTH = 120

export function lineProblem(text: string): 'required' | 'maxLength' | 'pattern' | null {
  const line = text.trim()
  if (isBlank(line)) return 'required'
  if ([...line].length > FACT_MAX_LENGTH) return 'maxLength'
  return /[\p{Cc}<>]/u.test(line) ? 'pattern' : null
}

export function nameProblem(text: string): 'required' | 'maxLength' | 'pattern' | null {
  // Mails' headers and files are named by it.
  if (/[{}"\\/]/.test(text)) return 'pattern'
  return [...text.trim()].length > SHOP_NAME_MAX_LENGTH ? 'maxLength' : sloganProblem(text)
}

export function sloganProblem(text: string): 'required' | 'maxLength' | 'pattern' | null {
  // Texts are filled with it, in which i18next would read places to fill and keys of other texts.
  return /\{\{|\}\}|\$t\(/.test(text) ? 'pattern' : lineProblem(text)
}

/** The ways of paying for which the shop has said where the money goes. */
export function transfersTo({
  bank,
  d17,
}: {
  readonly bank: { readonly rib: string }
  readonly d17: { readonly phone: string }
}): TransferMethod[] {
  return TRANSFER_METHODS.filter((method) => (method === 'd17' ? d17.phone : bank.rib) !== '')
}

/** A Tunisian number as pages show it, `+216 71 000 000`; other text stays as it is. */
export function shownPhone(text: string): string {
  const digits = normalisePhone(text)
  return digits ? `+216 ${digits.slice(0, 2)} ${digits.slice(2, 5)} ${digits.slice(5)}` : text
}

export function phoneProblem(text: string): 'required' | 'phone' | null {
  if (isBlank(text)) return 'required'
  return normalisePhone(text) ? null : 'phone'
}

export function emailProblem(text: string): 'required' | 'email' | null {
  if (isBlank(text)) return 'required'
  return email(text) as 'email' | null
}

/** The rule that a link to another site breaks: `https`, with a host and without credentials. */
export function linkProblem(text: string): 'required' | 'maxLength' | 'pattern' | null {
  const address = text.trim()
  if (isBlank(address)) return 'required'
  if (address.length > LINK_MAX_LENGTH) return 'maxLength'
  if (!URL.canParse(address) || /[\s<>"'`\\]/.test(address)) return 'pattern'
  const { protocol, hostname, username, password } = new URL(address)
  const isPlain = protocol === 'https:' && hostname.includes('.') && !username && !password
  return isPlain ? null : 'pattern'
}

export function ribProblem(text: string): 'required' | 'pattern' | null {
  if (isBlank(text)) return 'required'
  return isRib(text) ? null : 'pattern'
}

/** A bank account number in its groups; other text stays as it is. */
export function shownRib(text: string): string {
  return isRib(text) ? readableRib(ribDigits(text)) : text
}

/** The IBAN of a Tunisian account: its check digits are always 59, since a RIB has its own. */
export function ibanOf(rib: string): string {
  return `TN59${ribDigits(rib)}`.replace(/(.{4})(?=.)/g, '$1 ')
}

export function taxNumberProblem(text: string): 'required' | 'pattern' | null {
  if (isBlank(text)) return 'required'
  return readTaxNumber(text) ? null : 'pattern'
}

/** The identifier in the national register of companies (RNE): 7 digits and a letter. */
export function registerProblem(text: string): 'required' | 'pattern' | null {
  if (isBlank(text)) return 'required'
  return /^\d{7}[A-Z]$/.test(shownRegister(text)) ? null : 'pattern'
}

export function shownRegister(text: string): string {
  const plain = plainNumber(text)
  // Old identifiers are written without their leading zeros.
  return /^\d{1,7}[A-Z]$/.test(plain) ? plain.padStart(8, '0') : plain
}

export function vatRateProblem(text: string): 'required' | 'pattern' | null {
  if (isBlank(text)) return 'required'
  return readVatRate(text) ? null : 'pattern'
}

export function stampDutyProblem(text: string): 'required' | 'pattern' | 'max' | null {
  if (isBlank(text)) return 'required'
  const amount = parseDinars(text)
  if (amount === null) return 'pattern'
  return amount <= STAMP_DUTY_MAX ? null : 'max'
}

/** A typed stamp duty as it is stored: `1.00`; other text stays as it is. */
export function shownStampDuty(text: string): string {
  const amount = parseDinars(text)
  return amount === null ? text : formatAmount(dinars(amount), '.')
}

/** What the shop states about taxes, in the form that invoices are computed with. */
export function taxesOf({ vatRate, stamp }: { vatRate: string; stamp: string }): {
  /** In percent; 0: exempt; null: the shop states none. */
  rate: number | null
  stamp: Millimes
} {
  return { rate: vatRate === '' ? null : Number(vatRate), stamp: dinars(Number(stamp)) }
}

/** Whether the shop has stated what an invoice needs: who sells, by which tax number. */
export function hasInvoices({ name, taxNumber }: { name: string; taxNumber: string }): boolean {
  return name !== '' && taxNumber !== ''
}
