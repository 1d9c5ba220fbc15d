import type { Problem } from '../../../stores/shared/problem.ts'
import { problemText, useErrorTexts } from '../../parts/error-texts.ts'

/** What is said of a problem, in the office's sentences too where the island has them. */
export function useProblemText(): (problem: Pick<Problem, 'code' | 'message'>) => string {
  const errors = useErrorTexts()
  return (problem) => problemText(problem, errors)
}
