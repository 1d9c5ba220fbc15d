import { fillText } from '../../../i18n/format.ts'
import type { Problem } from '../../../stores/shared/problem.ts'
import { problemText, useErrorTexts } from '../../parts/error-texts.ts'
import { useLocale, useTextsIfGiven } from '../../parts/island.tsx'
import { momentText } from './dates.ts'

/** Returns a function that words a problem, with the office's own errors if the island has them. */
export function useProblemText(): (problem: Pick<Problem, 'code' | 'message' | 'done'>) => string {
  // The conversations page brings its own error texts, which only its island includes.
  const errors = { ...useErrorTexts(), ...useTextsIfGiven('office-conversations:errors') }
  const locale = useLocale()
  return (problem) => {
    const text = problemText(problem, errors)
    const { done } = problem
    if (!done) return text
    return fillText(text, { by: `\u2068${done.by}\u2069`, at: momentText(locale, done.at) })
  }
}
