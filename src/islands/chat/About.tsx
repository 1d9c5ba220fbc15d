import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { $documents, loadDocument } from '../../stores/chat/documents.ts'
import { Icon } from '../parts/Icon.tsx'
import { DocumentCard } from './DocumentCard.tsx'
import { useTexts } from './texts.ts'

interface Props {
  documentId: number
  onRemove: () => void
}

/** The document that the next message is about, shown above the composer. */
export function About({ documentId, onRemove }: Props) {
  const texts = useTexts('chat:page').document
  const document = useStore($documents)[documentId]
  useEffect(() => void loadDocument(documentId), [documentId])
  useEffect(() => {
    if (document === 'missing') onRemove()
  })
  if (document === 'missing') return null
  return (
    <div className="chat__about">
      <p className="small soft">{texts.about}</p>
      <button
        type="button"
        className="icon-button"
        aria-label={texts.remove}
        title={texts.remove}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
      {document ? (
        <DocumentCard document={document} />
      ) : (
        <div className="skeleton skeleton--button" />
      )}
    </div>
  )
}
