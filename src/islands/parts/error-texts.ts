import type { Problem, ProblemCode } from '../../stores/shared/problem.ts'

/** `errors:codes` of locales: a sentence for each code of a failed call. */
export type ErrorTexts = Readonly<Record<ProblemCode, string>>

/** What is said of a problem: the server's own words, else `otherwise`, where its code has no sentence. */
export function problemText(
  { code, message }: Pick<Problem, 'code' | 'message'>,
  errors: ErrorTexts,
  otherwise: string,
): string {
  return code === 'unknown' ? message || otherwise : errors[code]
}
