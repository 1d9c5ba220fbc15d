import { useEffect, useState } from 'react'
import { pathIn } from '../../../i18n/paths.ts'
import { useLocale } from '../../../islands/parts/island.tsx'
import { ErrorState, Skeleton } from '../../../islands/parts/States.tsx'
import { type Problem, problemOf } from '../../../stores/shared/problem.ts'
import { Button, ButtonLink } from '../../kit/Button.tsx'
import { officeTexts } from '../../kit/office-texts.ts'
import { useProblemText } from '../../kit/use-action.tsx'
import { beginDraft } from './new-draft.ts'

const { island, useTexts } = officeTexts('office-documents:new')

const FORM = ['line', 'button', 'line', 'button', 'line', 'button'] as const

function New() {
  const locale = useLocale()
  const texts = useTexts('office-documents:new')
  const problemText = useProblemText()
  const [problem, setProblem] = useState<Problem | null>(null)

  const begin = async () => {
    setProblem(null)
    try {
      const id = await beginDraft()
      location.replace(`${pathIn(locale, '/office/document')}?id=${id}`)
    } catch (error) {
      setProblem(problemOf(error))
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the page opens
  useEffect(() => void begin(), [])
  if (!problem) return <Skeleton text={texts.beginning} shapes={FORM} />
  return (
    <ErrorState title={texts.failed} text={problemText(problem)}>
      <div className="cluster">
        <Button kind="primary" onClick={begin}>
          {texts.retry}
        </Button>
        <ButtonLink to="/office/documents">{texts.back}</ButtonLink>
      </div>
    </ErrorState>
  )
}

export default island(New)
