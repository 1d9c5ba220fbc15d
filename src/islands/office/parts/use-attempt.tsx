import { useState } from 'react'
import { type Problem, problemOf } from '../../../stores/shared/problem.ts'
import { ErrorAlert } from '../../parts/ErrorAlert.tsx'
import { useProblemText } from './use-problem-text.ts'

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
