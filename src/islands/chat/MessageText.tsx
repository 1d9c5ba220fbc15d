import { messageParts } from '../../rules/message-parts.ts'
import { useDesk } from './desk.tsx'

interface Props {
  content: string
}

/** The text of a message. Only addresses of this site become links. */
export function MessageText({ content }: Props) {
  const { Mention } = useDesk()
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
          <Mention key={key} id={part.documentId}>
            {link}
          </Mention>
        )
      })}
    </div>
  )
}
