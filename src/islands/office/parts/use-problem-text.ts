import type { Problem } from '../../../stores/shared/problem.ts'
import { problemText, useErrorTexts } from '../../parts/error-texts.ts'

/** The sentence for a problem, also of the office's own errors where the island has their texts. */
export function useProblemText(): (problem: Pick<Problem, 'code' | 'message'>) => string {
  const errors = useErrorTexts()
  return (problem) => problemText(problem, errors)
}
