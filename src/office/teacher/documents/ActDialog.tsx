import * as officeDocuments from '../../../contract/office-documents.ts'
import type { OwnDocument } from '../../../contract/own-document.ts'
import { useTexts } from '../../../islands/parts/island.tsx'
import { type DocumentAct, REVIEW_REASON_MAX_LENGTH } from '../../../rules/document-life.ts'
import { ask } from '../../kit/backend.ts'
import { QuestionDialog } from '../../kit/forms/questions.tsx'

/** Performs an action; returns the changed document, or null after `delete`. */
async function act(
  { id }: Pick<OwnDocument, 'id'>,
  what: DocumentAct,
  reason: string,
): Promise<OwnDocument | null> {
  const input = { params: { id } }
  switch (what) {
    case 'submit':
      return ask(officeDocuments.submitOwnDocument, input)
    case 'withdraw':
      return ask(officeDocuments.withdrawOwnDocument, input)
    case 'publish':
      return ask(officeDocuments.publishOwnDocument, input)
    case 'unpublish':
      return ask(officeDocuments.unpublishOwnDocument, {
        ...input,
        body: { reason: reason.trim() || null },
      })
    case 'delete':
      await ask(officeDocuments.deleteOwnDocument, input)
      return null
  }
}

interface Props {
  document: OwnDocument
  what: DocumentAct
  /** Called with the changed document, or with null after it was deleted. */
  onDone: (document: OwnDocument | null) => void
  onClose: () => void
}

export function ActDialog({ document, what, onDone, onClose }: Props) {
  const texts = useTexts('office-documents:acts')
  // This withdraws only the new version; buyers still get the accepted one.
  const isVersion = what === 'withdraw' && document.state !== 'submitted'
  const dialogTexts = isVersion ? texts.withdrawVersion : texts[what]

  return (
    <QuestionDialog
      onClose={onClose}
      question={{
        title: dialogTexts.title,
        submit: dialogTexts.button,
        isDanger: what === 'delete',
        about: document.title && (
          <p className="along" dir="auto">
            <strong>{document.title}</strong>
          </p>
        ),
        text: dialogTexts.text,
        fields: [
          {
            name: 'reason',
            label: texts.reason,
            rows: 2,
            maxLength: REVIEW_REASON_MAX_LENGTH,
            isShown: () => what === 'unpublish',
          },
        ],
        send: async ({ reason }) => onDone(await act(document, what, reason)),
      }}
    />
  )
}
