import type { OwnDocument } from '../../../contract/own-document.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useTexts } from '../../../islands/parts/island.tsx'
import { useSaid } from '../../../islands/parts/Message.tsx'
import type { DocumentField } from '../../../rules/document-fields.ts'
import { actsFor, type DocumentAct } from '../../../rules/document-life.ts'

interface Props {
  document: OwnDocument
  /** The reasons, by field, why a try to submit the document failed. */
  needs?: Readonly<Partial<Record<DocumentField, string>>>
  onAct: (what: DocumentAct) => void
  isBusy?: boolean
}

export function Acts({ document, needs = {}, onAct, isBusy = false }: Props) {
  const texts = useTexts('office-documents:form')
  const acts = useTexts('office-documents:acts')
  const fields = useTexts('office-documents:fields')
  const missing = (Object.keys(needs) as DocumentField[])
    .map((field) => fields[field])
    .join(texts.comma)
  const said = useSaid<HTMLParagraphElement>(missing)
  const shown = actsFor(document)
  const buttonText = (what: DocumentAct) =>
    what === 'withdraw' && document.state !== 'submitted'
      ? acts.withdrawVersion.button
      : acts[what].button
  return (
    <div className="stack">
      {shown.includes('submit') && missing && (
        <p className="editor__missing soft small" role="alert" ref={said}>
          {texts.missing} <strong>{missing}</strong>
        </p>
      )}
      <div className="cluster">
        {shown.map((what, at) => (
          <Button
            key={what}
            kind={at === 0 && what !== 'unpublish' ? 'primary' : undefined}
            isBusy={isBusy && at === 0}
            onClick={() => onAct(what)}
          >
            {buttonText(what)}
          </Button>
        ))}
      </div>
    </div>
  )
}
