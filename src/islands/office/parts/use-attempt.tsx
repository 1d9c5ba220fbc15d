import { useState } from 'react'
import { fillText } from '../../../i18n/format.ts'
import { type Problem, problemOf } from '../../../stores/shared/problem.ts'
import { problemText, useErrorTexts } from '../../parts/error-texts.ts'
import { useLocale, useTextsIfGiven } from '../../parts/island.tsx'
import { ErrorAlert } from '../../parts/Message.tsx'
import { momentText } from './dates.ts'
import { useActorName } from './office-texts.ts'

/** Calls the server for a button, one call at a time, and shows the problem of the last one. */
export function useAttempt() {
  const problemText = useProblemText()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  return {
    isBusy,
    problem,
    alert: problem && <ErrorAlert text={problemText(problem)} />,
    /** Does `work`; if it throws, `onProblem` is finished before the problem is shown. */
    async attempt(
      work: () => Promise<unknown>,
      onProblem?: (problem: Problem) => unknown,
    ): Promise<void> {
      if (isBusy) return
      setBusy(true)
      setProblem(null)
      try {
        await work()
      } catch (error) {
        const found = problemOf(error)
        await onProblem?.(found)
        setProblem(found)
      }
      setBusy(false)
    },
  }
}

/** Returns a function that words a problem, with the office's own errors if the island has them. */
export function useProblemText(): (problem: Pick<Problem, 'code' | 'message' | 'done'>) => string {
  // The conversations page brings its own error texts, which only its island includes.
  const errors = { ...useErrorTexts(), ...useTextsIfGiven('office-conversations:errors') }
  const locale = useLocale()
  const actorName = useActorName()
  return (problem) => {
    const text = problemText(problem, errors)
    const { done } = problem
    if (!done) return text
    return fillText(text, {
      by: `\u2068${actorName(done.by)}\u2069`,
      at: momentText(locale, done.at),
    })
  }
}
