import type { ListedBulkChange } from '../../../contract/office-bulk-changes.ts'
import { STAFF_REASON_MAX_LENGTH } from '../../../rules/ledger.ts'
import { Button } from '../../kit/Button.tsx'
import { useQuestions, useReason } from '../../kit/forms/questions.tsx'
import { undoChange } from './bulk-changes.ts'
import { useTexts } from './texts.ts'
import { useChangeText } from './use-change-text.ts'

type UndoableChange = Pick<
  ListedBulkChange,
  'id' | 'kind' | 'price' | 'percent' | 'from' | 'until' | 'undoes'
>

export function Undo({ change }: { change: UndoableChange }) {
  const texts = useTexts('office-goods:changes')
  const { reasonHint: hint } = useTexts('office-goods:change')
  const changeText = useChangeText()
  const { ask, dialog } = useQuestions()
  const reason = useReason()
  const undo = () =>
    ask({
      title: texts.undoTitle,
      submit: texts.undo,
      about: (
        <p>
          <strong>{changeText(change)}</strong>
        </p>
      ),
      text: texts.undoText,
      fields: [reason(STAFF_REASON_MAX_LENGTH, { hint })],
      send: (given) => undoChange(change.id, given.reason),
    })
  return (
    <>
      <Button onClick={undo}>{texts.undo}</Button>
      {dialog}
    </>
  )
}
