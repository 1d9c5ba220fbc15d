import { useTexts } from '../../islands/parts/island.tsx'
import type { DocumentState } from '../../rules/document-life.ts'
import { StateMark } from '../kit/tables/cells.tsx'

const KINDS = {
  draft: 'off',
  submitted: 'waiting',
  returned: 'bad',
  published: 'good',
  unpublished: 'off',
} as const satisfies Record<DocumentState, string>

export function DocumentStateMark({ state }: { state: DocumentState }) {
  const texts = useTexts('office-documents:states')
  return <StateMark kind={KINDS[state]} text={texts[state]} />
}
