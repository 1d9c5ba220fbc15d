import { fillText } from '../../../i18n/format.ts'
import type { Problem } from '../../../stores/shared/problem.ts'
import { problemText, useErrorTexts } from '../../parts/error-texts.ts'
import { useLocale, useTextsIfGiven } from '../../parts/island.tsx'
import { momentText } from './dates.ts'

/** Returns the sentence for a problem, including the office's own errors if the island has their texts. */
export function useProblemText(): (problem: Pick<Problem, 'code' | 'message' | 'done'>) => string {
  // The page that has a customer's data beside it gets no sentences but its own.
  const errors = { ...useErrorTexts(), ...useTextsIfGiven('office-conversations:errors') }
  const locale = useLocale()
  return (problem) => {
    const text = problemText(problem, errors)
    const { done } = problem
    if (!done) return text
    return fillText(text, { by: `\u2068${done.by}\u2069`, at: momentText(locale, done.at) })
  }
}
