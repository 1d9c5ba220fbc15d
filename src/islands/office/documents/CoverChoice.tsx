import { useState } from 'react'
import type { OwnDocument } from '../../../contract/own-document.ts'
import { fillText } from '../../../i18n/format.ts'
import { inMegabytes, UPLOAD_MAX_BYTES } from '../../../rules/uploads.ts'
import { takeCover } from '../../../stores/office/documents/own.ts'
import { createUpload } from '../../../stores/office/upload.ts'
import { useTexts } from '../../parts/island.tsx'
import { UploadField } from '../parts/UploadField.tsx'
import { useAttempt } from '../parts/use-attempt.tsx'

interface Props {
  document: OwnDocument
  /** Why the document was returned, if the reason concerns the cover. */
  reason: string | undefined
}

/** The choice between a generated cover and an uploaded picture. */
export function CoverChoice({ document, reason }: Props) {
  const texts = useTexts('office-documents:form')
  const fields = useTexts('office-documents:fields')
  const { alert, attempt, isBusy } = useAttempt()
  const [upload] = useState(() =>
    createUpload({
      purpose: 'cover',
      keepAs: `document-${document.id}-cover`,
      onDone: (id) => takeCover(document.id, id),
    }),
  )
  const draw = () => attempt(() => takeCover(document.id, null))
  return (
    <section className="stack">
      <h2>{fields.cover}</h2>
      {reason && <p className="field__error">{reason}</p>}
      <p>{document.coverPath ? texts.cover.isPicture : texts.cover.isDrawn}</p>
      {alert}
      {document.coverPath && (
        <p>
          <button type="button" className="button" aria-busy={isBusy} onClick={draw}>
            {texts.cover.draw}
          </button>
        </p>
      )}
      <UploadField
        upload={upload}
        label={texts.cover.upload}
        hint={fillText(texts.cover.hint, { megabytes: inMegabytes(UPLOAD_MAX_BYTES.cover) })}
      />
    </section>
  )
}
