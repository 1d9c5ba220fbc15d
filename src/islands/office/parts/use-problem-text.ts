import type { Problem } from '../../../stores/shared/problem.ts'
import { type ErrorTexts, problemText } from '../../parts/error-texts.ts'
import { useTexts } from '../../parts/island.tsx'

/** A sentence for each code of the office's calls, which have errors of their own besides. */
export function useErrors(): ErrorTexts {
  return { ...useTexts('errors:codes'), ...useTexts('office-errors:codes') }
}

/** What is said of a problem in the office. */
export function useProblemText(): (problem: Pick<Problem, 'code' | 'message'>) => string {
  const errors = useErrors()
  return (problem) => problemText(problem, errors)
}
