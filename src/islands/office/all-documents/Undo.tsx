import { useState } from 'react'
import type { ListedBulkChange } from '../../../contract/office-bulk-changes.ts'
import { STAFF_REASON_MAX_LENGTH } from '../../../rules/ledger.ts'
import { undoChange } from '../../../stores/office/bulk-changes.ts'
import { Button } from '../parts/Button.tsx'
import { ReasonDialog } from '../parts/ReasonDialog.tsx'
import { useTexts } from './texts.ts'
import { useChangeText } from './use-change-text.ts'

type UndoableChange = Pick<
  ListedBulkChange,
  'id' | 'kind' | 'price' | 'percent' | 'from' | 'until' | 'undoes'
>

export function Undo({ change }: { change: UndoableChange }) {
  const texts = useTexts('office-goods:changes')
  const { reasonHint } = useTexts('office-goods:change')
  const changeText = useChangeText()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{texts.undo}</Button>
      {isOpen && (
        <ReasonDialog
          title={texts.undoTitle}
          submit={texts.undo}
          hint={reasonHint}
          most={STAFF_REASON_MAX_LENGTH}
          onConfirm={(reason) => undoChange(change.id, reason)}
          onClose={() => setOpen(false)}
        >
          <p>
            <strong>{changeText(change)}</strong>
          </p>
          <p>{texts.undoText}</p>
        </ReasonDialog>
      )}
    </>
  )
}
