import type { Own } from '../../../stores/office/documents/own.ts'
import type { TextValues } from '../../../stores/office/documents/text.ts'
import { useTexts } from '../../parts/island.tsx'
import { Later } from '../../parts/Later.tsx'

// Loaded later: on phones these parts are below the form, where most users never scroll.
const loadPreview = async () => (await import('./Preview.tsx')).Preview
const loadHistory = async () => (await import('./History.tsx')).History

function useLaterTexts() {
  const { loading, failed } = useTexts('office-documents:form')
  return { loading: { text: loading, shapes: ['line', 'cover', 'line'] as const }, failed }
}

export function LaterPreview(props: { own: Own; values: TextValues }) {
  return <Later load={loadPreview} give={props} {...useLaterTexts()} />
}

export function LaterHistory(props: { own: Own }) {
  return <Later load={loadHistory} give={props} {...useLaterTexts()} />
}
