import { useEffect, useState } from 'react'
import * as officeDocuments from '../../../contract/office-documents.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { Button, ButtonLink } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { ErrorState, Skeleton } from '../../../islands/parts/States.tsx'
import { type Problem, problemOf } from '../../../stores/shared/problem.ts'
import { ask } from '../../kit/backend.ts'
import { keep, kept } from '../../kit/kept.ts'
import { idInAddress } from '../../kit/loader.ts'
import { officeTexts } from '../../kit/office-texts.ts'
import { useProblemText } from '../../kit/use-action.tsx'

const KEEP_AS = 'new document'

/**
 * Creates an empty draft, or that of a correction of the paper in the address, and returns its id. The
 * idempotency key is kept: a reload, a retry after a lost connection, or a later visit finds the draft into
 * which nothing was entered, instead of creating another one.
 */
async function beginDraft(): Promise<number> {
  const paper = idInAddress('correctionOf')
  const keepAs = paper === null ? KEEP_AS : `${KEEP_AS} ${paper}`
  const create = (idempotencyKey: string) =>
    paper === null
      ? ask(officeDocuments.createOwnDocument, {}, { idempotencyKey })
      : ask(officeDocuments.createCorrection, { params: { id: paper } }, { idempotencyKey })
  const before = kept(keepAs)
  if (typeof before === 'string') {
    const begun = await create(before).catch((error) => {
      // It was deleted since.
      if (problemOf(error).code !== 'document_not_found') throw error
    })
    if (begun?.revision === 0 && begun.state === 'draft') return begun.id
  }
  const key = crypto.randomUUID()
  keep(keepAs, key)
  return (await create(key)).id
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
