import type { TextsAt } from '../../i18n/texts.ts'
import type { Problem } from '../../stores/shared/problem.ts'
import { useTexts, useTextsIfGiven } from './island.tsx'

/**
 * A sentence for each error code; pages of the office have additional ones, and administrators'
 * more.
 */
export type ErrorTexts = TextsAt<'errors:codes'> &
  Partial<
    TextsAt<'checkout:codes'> &
      TextsAt<'office-errors:codes'> &
      TextsAt<'office-admin-errors:codes'> &
      TextsAt<'office-conversations:errors'>
  >

export function useErrorTexts(): ErrorTexts {
  const codes = useTextsIfGiven('checkout:codes')
  const office = useTextsIfGiven('office-errors:codes')
  const administrators = useTextsIfGiven('office-admin-errors:codes')
  return { ...useTexts('errors:codes'), ...codes, ...office, ...administrators }
}

/** The sentence for a problem: that of its code, or the server's message, or `otherwise`. */
export function problemText(
  { code, message }: Pick<Problem, 'code' | 'message'>,
  errors: ErrorTexts,
  otherwise: string = errors.unknown,
): string {
  if (code !== 'unknown' && Object.hasOwn(errors, code)) return errors[code] as string
  return message || otherwise
}
