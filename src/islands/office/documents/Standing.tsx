import type { OwnDocument } from '../../../contract/own-document.ts'
import { useTexts } from '../../parts/island.tsx'
import { Moment } from '../parts/cells.tsx'
import { DocumentStateMark } from './DocumentStateMark.tsx'

export function Standing({ document }: { document: OwnDocument }) {
  const texts = useTexts('office-documents:form')
  const fields = useTexts('office-documents:fields')
  const { state, returned, waitingVersion, isTakenDown } = document
  const meaning = state === 'unpublished' && isTakenDown ? texts.takenDown : texts.meaning[state]
  return (
    <section className="standing">
      <p className="standing__state">
        <DocumentStateMark state={state} />
        <span className="soft">{meaning}</span>
      </p>
      {waitingVersion !== null && <p className="alert">{texts.waitingVersion}</p>}
      {returned && (
        <div className="alert alert--error">
          <p>
            <strong>{texts.returned}</strong> <Moment at={returned.at} />
            {returned.field && ` · ${fields[returned.field]}`}
          </p>
          <p className="standing__reason" dir="auto">
            {returned.reason}
          </p>
        </div>
      )}
    </section>
  )
}
