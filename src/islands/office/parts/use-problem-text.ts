import type { Problem } from '../../../stores/shared/problem.ts'
import { problemText } from '../../parts/error-texts.ts'
import { useTexts } from '../../parts/island.tsx'

/** What is said of a problem in the office, whose calls have errors of their own. */
export function useProblemText(): (problem: Pick<Problem, 'code' | 'message'>) => string {
  const errors = { ...useTexts('errors:codes'), ...useTexts('office-errors:codes') }
  return (problem) => problemText(problem, errors)
}
