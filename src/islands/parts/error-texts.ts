import type { TextsAt } from '../../i18n/text-keys.ts'
import type { Problem } from '../../stores/shared/problem.ts'
import { useTexts, useTextsIfGiven } from './island.tsx'

/** A sentence for each code of a failed call; pages of the office have more of them. */
export type ErrorTexts = TextsAt<'errors:codes'> & Partial<TextsAt<'office-errors:codes'>>

export function useErrorTexts(): ErrorTexts {
  const office = useTextsIfGiven('office-errors:codes')
  return { ...useTexts('errors:codes'), ...office }
}

/** What is said of a problem: the server's own words, else `otherwise`, where its code has no sentence. */
export function problemText(
  { code, message }: Pick<Problem, 'code' | 'message'>,
  errors: ErrorTexts,
  otherwise: string = errors.unknown,
): string {
  if (code !== 'unknown' && Object.hasOwn(errors, code)) return errors[code] as string
  return message || otherwise
}
