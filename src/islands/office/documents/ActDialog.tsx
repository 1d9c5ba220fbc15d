import { useRef } from 'react'
import type { OwnDocument } from '../../../contract/own-document.ts'
import { type DocumentAct, REVIEW_REASON_MAX_LENGTH } from '../../../rules/document-life.ts'
import { act } from '../../../stores/office/documents/actions.ts'
import { useTexts } from '../../parts/island.tsx'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { TextField } from '../parts/fields.tsx'

interface Props {
  document: OwnDocument
  what: DocumentAct
  /** Called with the changed document, or with null after it was deleted. */
  onDone: (document: OwnDocument | null) => void
  onClose: () => void
}

export function ActDialog({ document, what, onDone, onClose }: Props) {
  const texts = useTexts('office-documents:acts')
  const form = useRef<HTMLFormElement>(null)
  // This withdraws only the new version; buyers still get the accepted one.
  const isVersion = what === 'withdraw' && document.state !== 'submitted'
  const dialogTexts = isVersion ? texts.withdrawVersion : texts[what]

  const confirm = async () => {
    const reason = new FormData(form.current ?? undefined).get('reason')
    onDone(await act(document, what, String(reason ?? '')))
  }
  return (
    <ConfirmDialog
      title={dialogTexts.title}
      submit={dialogTexts.button}
      isDanger={what === 'delete'}
      onConfirm={confirm}
      onClose={onClose}
    >
      {document.title && (
        <p className="along" dir="auto">
          <strong>{document.title}</strong>
        </p>
      )}
      <p>{dialogTexts.text}</p>
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
    </ConfirmDialog>
  )
}
