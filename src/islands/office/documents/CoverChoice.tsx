import { useState } from 'react'
import type { OwnDocument } from '../../../contract/own-document.ts'
import { fillText } from '../../../i18n/format.ts'
import { inMegabytes, UPLOAD_MAX_BYTES } from '../../../rules/uploads.ts'
import { takeCover } from '../../../stores/office/documents/own.ts'
import { createUpload } from '../../../stores/office/upload.ts'
import { type Problem, problemOf } from '../../../stores/shared/problem.ts'
import { ErrorAlert } from '../../parts/ErrorAlert.tsx'
import { useTexts } from '../../parts/island.tsx'
import { UploadField } from '../parts/UploadField.tsx'
import { useProblemText } from '../parts/use-problem-text.ts'

interface Props {
  document: OwnDocument
  /** Why the document was returned, if the reason concerns the cover. */
  reason: string | undefined
}

/** The choice between a generated cover and an uploaded picture. */
export function CoverChoice({ document, reason }: Props) {
  const texts = useTexts('office-documents:form')
  const fields = useTexts('office-documents:fields')
  const problemText = useProblemText()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [upload] = useState(() =>
    createUpload({
      purpose: 'cover',
      keepAs: `document-${document.id}-cover`,
      onDone: (id) => takeCover(document.id, id),
    }),
  )
  const draw = async () => {
    setBusy(true)
    setProblem(null)
    await takeCover(document.id, null).catch((error) => setProblem(problemOf(error)))
    setBusy(false)
  }
  return (
    <section className="stack">
      <h2>{fields.cover}</h2>
      {reason && <p className="field__error">{reason}</p>}
      <p>{document.coverPath ? texts.cover.isPicture : texts.cover.isDrawn}</p>
      {problem && <ErrorAlert text={problemText(problem)} />}
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
