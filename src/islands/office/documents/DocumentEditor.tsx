import './editor.css'
import { useState } from 'react'
import type { OwnDocument } from '../../../contract/own-document.ts'
import type { DocumentAct } from '../../../stores/office/documents/actions.ts'
import { type Own, showChanged } from '../../../stores/office/documents/own.ts'
import { valuesOf } from '../../../stores/office/documents/text.ts'
import { useTexts } from '../../parts/island.tsx'
import { ActDialog } from './ActDialog.tsx'
import { Acts } from './Acts.tsx'
import { DocumentForm } from './DocumentForm.tsx'
import { LaterHistory, LaterPreview } from './later-parts.tsx'
import { Standing } from './Standing.tsx'

interface Props {
  own: Own
  onDeleted: () => void
}

/** A document: its state, its form (or, while it is under review, a preview) and its history. */
export function DocumentEditor({ own, onDeleted }: Props) {
  const { document } = own
  const texts = useTexts('office-documents:form')
  const [what, setWhat] = useState<DocumentAct | null>(null)
  const take = (changed: OwnDocument | null) => {
    if (changed) void showChanged(changed)
    else onDeleted()
  }
  return (
    <div className="editor">
      <Standing document={document} />
      {document.state === 'submitted' ? (
        <div className="editor__parts">
          <div className="stack">
            <p className="alert">{texts.underReview}</p>
            <Acts document={document} onAct={setWhat} />
          </div>
          <LaterPreview own={own} values={valuesOf(document, '.')} />
        </div>
      ) : (
        <DocumentForm own={own} onAct={setWhat} />
      )}
      <LaterHistory own={own} />
      {what && (
        <ActDialog document={document} what={what} onDone={take} onClose={() => setWhat(null)} />
      )}
    </div>
  )
}
