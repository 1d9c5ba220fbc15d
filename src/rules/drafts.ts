/** A draft's values, by field. */
export type DraftValues = Readonly<Record<string, string>>

/** The most characters of a draft: more than any form that keeps one can send. */
export const UNSENT_MAX_LENGTH = 20_000

/** The most drafts that a tab keeps; another one replaces the oldest. */
export const UNSENT_FORMS_MAX = 20

const SECRETS = new Set(['password', 'code', 'secret', 'token', 'rib', 'iban', 'holder', 'file'])

/** Whether what is typed in a field of this name is never kept: passwords, codes, bank data, files. */
const isSecretField = (name: string): boolean =>
  name.split(/[^a-zA-Z]|(?=[A-Z])/).some((word) => SECRETS.has(word.toLowerCase()))

/** The values that may be kept, or null if there are none, or too much. */
export function keptValues(values: DraftValues): DraftValues | null {
  const kept = Object.entries(values).filter(([name, text]) => text !== '' && !isSecretField(name))
  const length = kept.reduce((sum, [, text]) => sum + text.length, 0)
  return length > 0 && length <= UNSENT_MAX_LENGTH ? Object.fromEntries(kept) : null
}
