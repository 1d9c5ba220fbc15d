import { useState } from 'react'
import type { Problem } from '../../stores/shared/problem.ts'
import { problemText, useErrorTexts } from './error-texts.ts'
import { ErrorAlert, Message } from './Message.tsx'

/** Makes changes one at a time; `alert` says what became of the last: `done`, if it is given, or why not. */
export function useChange() {
  const errors = useErrorTexts()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [said, setSaid] = useState('')
  const change = async (make: () => Promise<Problem | null>, done = '') => {
    if (isBusy) return
    setBusy(true)
    setProblem(null)
    setSaid('')
    const found = await make()
    setBusy(false)
    setProblem(found)
    if (!found) setSaid(done)
  }
  const alert = problem ? (
    <ErrorAlert text={problemText(problem, errors)} />
  ) : (
    said && <Message kind="success" text={said} />
  )
  return { isBusy, change, alert }
}
