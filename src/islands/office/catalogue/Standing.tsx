import { useState } from 'react'
import type { Entry } from '../../../contract/office-catalogue.ts'
import type { ListName } from '../../../rules/catalogue-lists.ts'
import { refreshLists, retireEntry } from '../../../stores/office/catalogue/lists.ts'
import { type Problem, problemOf } from '../../../stores/shared/problem.ts'
import { ErrorAlert } from '../../parts/ErrorAlert.tsx'
import { useProblemText } from '../parts/use-problem-text.ts'
import { useTexts } from './texts.ts'

/** Retires or restores an entry. Needs no confirmation, because the change can be reversed. */
export function Standing({ list, entry }: { list: ListName; entry: Entry }) {
  const texts = useTexts('office-catalogue:lists')
  const problemText = useProblemText()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const { isRetired } = entry
  const change = async () => {
    setBusy(true)
    setProblem(null)
    try {
      await retireEntry(list, entry, !isRetired)
    } catch (error) {
      const failure = problemOf(error)
      // Another administrator was faster: reload the entry, and show who changed it.
      if (failure.done) await refreshLists().catch(() => {})
      setProblem(failure)
    }
    setBusy(false)
  }
  return (
    <div className="lists__standing">
      {problem && <ErrorAlert text={problemText(problem)} />}
      <p role="status">{isRetired ? texts.isRetired : texts.isOffered}</p>
      <button
        type="button"
        className="button"
        aria-busy={isBusy}
        disabled={isBusy}
        onClick={change}
      >
        {isRetired ? texts.offer : texts.retire}
      </button>
    </div>
  )
}
