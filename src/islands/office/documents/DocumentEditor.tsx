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

/** A document's state, its form (or a preview while it is under review) and its history. */
export function DocumentEditor({ own, onDeleted }: Props) {
  const { document } = own
  const texts = useTexts('office-documents:form')
  const [act, setAct] = useState<DocumentAct | null>(null)
  const showResult = (changed: OwnDocument | null) => {
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
            <Acts document={document} onAct={setAct} />
          </div>
          <LaterPreview own={own} values={valuesOf(document, '.')} />
        </div>
      ) : (
        <DocumentForm own={own} onAct={setAct} />
      )}
      <LaterHistory own={own} />
      {act && (
        <ActDialog
          document={document}
          what={act}
          onDone={showResult}
          onClose={() => setAct(null)}
        />
      )}
    </div>
  )
}
