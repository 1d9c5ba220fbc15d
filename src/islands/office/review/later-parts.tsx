import type { ReviewPage } from '../../../contract/office-review.ts'
import type { OwnDocument } from '../../../contract/own-document.ts'
import { useTexts } from '../../parts/island.tsx'
import { Later } from '../../parts/Later.tsx'

// Loaded after the first paint, because on a phone these parts are below the title.
const loadFiles = async () => (await import('./Files.tsx')).Files
const loadPreview = async () => (await import('../documents/Preview.tsx')).DocumentPreview
const loadHistory = async () => (await import('./History.tsx')).History

function useLaterTexts() {
  const { loading, failed } = useTexts('office-review:page')
  return { loading: { text: loading, shapes: ['line', 'cover', 'line'] as const }, failed }
}

export function LaterFiles(props: { review: ReviewPage }) {
  return <Later load={loadFiles} give={props} {...useLaterTexts()} />
}

export function LaterPreview(props: { document: OwnDocument }) {
  return <Later load={loadPreview} give={props} {...useLaterTexts()} />
}

export function LaterHistory(props: { review: ReviewPage }) {
  return <Later load={loadHistory} give={props} {...useLaterTexts()} />
}
