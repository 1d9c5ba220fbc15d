import { useRef, useState } from 'react'
import type { OwnDocument } from '../../../contract/own-document.ts'
import { REVIEW_REASON_MAX_LENGTH } from '../../../rules/document-life.ts'
import { act, type DocumentAct } from '../../../stores/office/documents/actions.ts'
import { type Problem, problemOf } from '../../../stores/shared/problem.ts'
import { Dialog } from '../../parts/Dialog.tsx'
import { ErrorAlert } from '../../parts/ErrorAlert.tsx'
import { useTexts } from '../../parts/island.tsx'
import { TextField } from '../parts/fields.tsx'
import { useProblemText } from '../parts/use-problem-text.ts'

interface Props {
  document: OwnDocument
  what: DocumentAct
  /** Takes the document as it is then; null where it is deleted. */
  onDone: (document: OwnDocument | null) => void
  onClose: () => void
}

/** Says what will happen to a document, and does it once that is confirmed. */
export function ActDialog({ document, what, onDone, onClose }: Props) {
  const texts = useTexts('office-documents:acts')
  const problemText = useProblemText()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const form = useRef<HTMLFormElement>(null)
  // Only the new version goes back; buyers keep getting the accepted one.
  const isVersion = what === 'withdraw' && document.state !== 'submitted'
  const said = isVersion ? texts.withdrawVersion : texts[what]

  const confirm = async () => {
    if (isBusy) return
    setBusy(true)
    setProblem(null)
    try {
      const reason = new FormData(form.current ?? undefined).get('reason')
      onDone(await act(document, what, String(reason ?? '')))
      onClose()
    } catch (error) {
      setProblem(problemOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={said.title}
      closeText={texts.close}
      onClose={onClose}
      isBusy={isBusy}
      foot={
        <>
          <button type="button" className="button" disabled={isBusy} onClick={onClose}>
            {texts.no}
          </button>
          <button
            type="button"
            className={what === 'delete' ? 'button button--danger' : 'button button--primary'}
            aria-busy={isBusy}
            onClick={confirm}
          >
            {said.button}
          </button>
        </>
      }
    >
      {problem && <ErrorAlert text={problemText(problem)} />}
      {document.title && (
        <p className="along" dir="auto">
          <strong>{document.title}</strong>
        </p>
      )}
      <p>{said.text}</p>
      {what === 'unpublish' && (
        <form ref={form} onSubmit={(event) => event.preventDefault()}>
          <TextField
            name="reason"
            label={texts.reason}
            rows={2}
            maxLength={REVIEW_REASON_MAX_LENGTH}
          />
        </form>
      )}
    </Dialog>
  )
}
