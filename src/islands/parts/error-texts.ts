import type { TextsAt } from '../../i18n/text-keys.ts'
import type { Problem } from '../../stores/shared/problem.ts'

/**
 * `errors:codes` of locales: a sentence for each code of a failed call. Pages of the office add those
 * of `office-errors:codes`.
 */
export type ErrorTexts = TextsAt<'errors:codes'> & Partial<TextsAt<'office-errors:codes'>>

/** What is said of a problem: the server's own words, else `otherwise`, where its code has no sentence. */
export function problemText(
  { code, message }: Pick<Problem, 'code' | 'message'>,
  errors: ErrorTexts,
  otherwise: string = errors.unknown,
): string {
  const said = code === 'unknown' ? undefined : errors[code]
  return said ?? (message || otherwise)
}
