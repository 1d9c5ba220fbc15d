import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { messageParts } from '../../rules/message-parts.ts'
import { DocumentCard } from './DocumentCard.tsx'
import { useDesk } from './desk.tsx'

interface Props {
  content: string
}

/** The text of a message. Only addresses of this site become links. */
export function MessageText({ content }: Props) {
  let at = 0
  return (
    <div className="message__text" dir="auto">
      {messageParts(content, location.origin).map((part) => {
        const key = at
        at += part.text.length
        if (part.kind === 'text') return <span key={key}>{part.text}</span>
        const link = (
          <a href={part.path}>
            <bdi dir="ltr">{part.text}</bdi>
          </a>
        )
        if (part.documentId === null) return <span key={key}>{link}</span>
        return (
          <Mentioned key={key} id={part.documentId}>
            {link}
          </Mentioned>
        )
      })}
    </div>
  )
}

interface MentionedProps {
  id: number
  /** Shown until the document is loaded, and if there is none. */
  children: React.ReactNode
}

function Mentioned({ id, children }: MentionedProps) {
  const { $documents, loadDocument } = useDesk()
  const document = useStore($documents)[id]
  useEffect(() => void loadDocument(id), [id, loadDocument])
  if (document === undefined || document === 'missing') return children
  return <DocumentCard document={document} />
}
