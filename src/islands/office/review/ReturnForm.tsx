import { REVIEW_REASON_MAX_LENGTH } from '../../../rules/document-life.ts'
import { useTexts } from '../../parts/island.tsx'
import { ReasonForm } from '../parts/ReasonForm.tsx'
import type { Subject } from './subject.ts'

interface Props {
  subject: Subject
  isBusy: boolean
  onSend: (reason: string) => void
  onCancel: () => void
}

/** The form for the reason of a return, shown beside the field concerned. */
export function ReturnForm({ subject, ...formProps }: Props) {
  const texts = useTexts('office-review:page')
  return (
    <div className="review__return">
      <ReasonForm
        {...formProps}
        most={REVIEW_REASON_MAX_LENGTH}
        texts={texts}
        {...(subject !== 'whole' && { hint: texts.reasonHint })}
      />
    </div>
  )
}
