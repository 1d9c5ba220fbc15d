import { useState } from 'react'
import type { Problem } from '../../stores/shared/problem.ts'
import { problemText, useErrorTexts } from './error-texts.ts'
import { ErrorAlert } from './States.tsx'

/** Makes changes one at a time; returns the alert for the last one that failed. */
export function useChange() {
  const errors = useErrorTexts()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const change = async (make: () => Promise<Problem | null>) => {
    if (isBusy) return
    setBusy(true)
    setProblem(await make())
    setBusy(false)
  }
  const alert = problem && <ErrorAlert text={problemText(problem, errors)} />
  return { isBusy, change, alert }
}
