import type { TextsAt } from '../../i18n/text-keys.ts'
import type { Problem } from '../../stores/shared/problem.ts'

/** `errors:codes` of locales: a sentence for each code of a failed call. */
export type ErrorTexts = TextsAt<'errors:codes'>

/** What is said of a problem: the server's own words, else `otherwise`, where its code has no sentence. */
export function problemText(
  { code, message }: Pick<Problem, 'code' | 'message'>,
  errors: ErrorTexts,
  otherwise: string,
): string {
  return code === 'unknown' ? message || otherwise : errors[code]
}
