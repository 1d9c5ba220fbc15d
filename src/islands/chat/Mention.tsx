import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { createMentioned } from '../../stores/chat/mentioned.ts'
import { DocumentCard } from './DocumentCard.tsx'
import type { MentionProps } from './desk.tsx'

interface Props extends MentionProps {
  documents: ReturnType<typeof createMentioned>
}

/** A document that a message mentions: its card, or the link until the card is loaded. */
export function Mention({ documents: { $documents, loadDocument }, id, children }: Props) {
  const document = useStore($documents)[id]
  useEffect(() => void loadDocument(id), [id, loadDocument])
  if (document === undefined || document === 'missing') return children
  return <DocumentCard document={document} />
}
