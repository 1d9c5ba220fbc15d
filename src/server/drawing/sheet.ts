import type { Locale } from '../../i18n/locales.ts'

/** By what one recognises whose sheet it is. */
interface SheetMark {
  /** Stands in place of a logo. */
  readonly name: string
  /** A picture, as SVG or PNG. */
  readonly logo: Uint8Array | null
  /** A colour with enough contrast for text on white. */
  readonly accent: string
}

/** A page of facts and amounts to be printed, such as an invoice, in its language's direction. */
export interface Sheet {
  readonly locale: Locale
  readonly title: string
  readonly mark: SheetMark
  /** When it was issued, in ISO 8601. */
  readonly at: string
  readonly facts: readonly (readonly [label: string, value: string])[]
  /** Printed side by side; the first line of each is bold. */
  readonly parties: readonly { readonly label: string; readonly lines: readonly string[] }[]
  readonly columns: readonly [string, string]
  readonly rows: readonly (readonly [string, string])[]
  /** The last one is bold. */
  readonly sums: readonly (readonly [label: string, amount: string])[]
  readonly notes: readonly string[]
}
