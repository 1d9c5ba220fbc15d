import { isBlank } from './pasted-text.ts'

/** Why a text cannot replace a shipped one. */
export type InterfaceTextProblem = 'required' | 'maxLength' | 'html' | 'placeholder' | 'invalid'

/** Even a two-letter word may become a short sentence; longer texts may double in length. */
const SHORT_TEXT_MAX_LENGTH = 60

/**
 * The most characters of a text that replaces a shipped one; the interface around it has no room
 * for more.
 */
export function longestInterfaceText(shipped: string): number {
  return Math.max(SHORT_TEXT_MAX_LENGTH, 2 * shipped.length)
}

/** The names of a text's `{{placeholders}}`, each once and sorted. */
export function placeholdersIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name))].sort()
}

/** The placeholders that must be in both texts: a text may leave out the shop's name, or say it. */
const needed = (text: string): string =>
  placeholdersIn(text)
    .filter((name) => name !== 'site')
    .join()

/** Why a text cannot replace a shipped one; null if it can. */
export function interfaceTextProblem(shipped: string, text: string): InterfaceTextProblem | null {
  if (isBlank(text)) return 'required'
  if (text.length > longestInterfaceText(shipped)) return 'maxLength'
  if (/<[a-z!/?]/i.test(text)) return 'html'
  // i18next would read `$t(…)` as another text's key.
  if (/\p{Cc}|\$t\(/u.test(text)) return 'invalid'
  const isFilled = needed(text) === needed(shipped)
  return isFilled && !/\{\{|\}\}/.test(text.replace(/\{\{\w+\}\}/g, '')) ? null : 'placeholder'
}
