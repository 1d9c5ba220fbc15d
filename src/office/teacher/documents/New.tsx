import { useEffect, useState } from 'react'
import * as officeDocuments from '../../../contract/office-documents.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { Button, ButtonLink } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { ErrorState, Skeleton } from '../../../islands/parts/States.tsx'
import { type Problem, problemOf } from '../../../stores/shared/problem.ts'
import { ask } from '../../kit/backend.ts'
import { forgetKept, keep, kept } from '../../kit/kept.ts'
import { idInAddress } from '../../kit/loader.ts'
import { officeTexts } from '../../kit/office-texts.ts'
import { useProblemText } from '../../kit/use-action.tsx'

const KEEP_AS = 'new document'

/**
 * Creates an empty draft, or that of a correction of the paper in the address, and returns its id. The idempotency key is kept until the response
 * arrives, so that a reload, or a retry after a lost connection, creates no second draft.
 */
async function beginDraft(): Promise<number> {
  const paper = idInAddress('correctionOf')
  const keepAs = paper === null ? KEEP_AS : `${KEEP_AS} ${paper}`
  const before = kept(keepAs)
  const idempotencyKey = typeof before === 'string' ? before : crypto.randomUUID()
  keep(keepAs, idempotencyKey)
  const draft = await (paper === null
    ? ask(officeDocuments.createOwnDocument, {}, { idempotencyKey })
    : ask(officeDocuments.createCorrection, { params: { id: paper } }, { idempotencyKey }))
  forgetKept(keepAs)
  return draft.id
}

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
