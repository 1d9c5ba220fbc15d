import type { ReviewPage } from '../../../contract/office-review.ts'
import type { OwnDocument } from '../../../contract/own-document.ts'
import { useTexts } from '../../parts/island.tsx'
import { Later } from '../../parts/Later.tsx'

// What stands below the title on a phone: the decision needs them, the first paint does not.
const loadFiles = async () => (await import('./Files.tsx')).Files
const loadPreview = async () => (await import('../documents/Preview.tsx')).DocumentPreview
const loadHistory = async () => (await import('./History.tsx')).History

function useLaterTexts() {
  const { loading, failed } = useTexts('office-review:page')
  return { loading: { text: loading, shapes: ['line', 'cover', 'line'] as const }, failed }
}

export function LaterFiles(given: { review: ReviewPage }) {
  return <Later load={loadFiles} give={given} {...useLaterTexts()} />
}

export function LaterPreview(given: { document: OwnDocument }) {
  return <Later load={loadPreview} give={given} {...useLaterTexts()} />
}

export function LaterHistory(given: { review: ReviewPage }) {
  return <Later load={loadHistory} give={given} {...useLaterTexts()} />
}
