import './message.css'
import { useStore } from '@nanostores/react'
import type { Message as Stored } from '../../contract/chat.ts'
import { messageParts } from '../../rules/message-parts.ts'
import { $line } from '../../stores/chat/line.ts'
import type { WaitingMessage } from '../../stores/user-data/unsent-texts.ts'
import { Icon } from '../parts/Icon.tsx'
import { Moment } from './Moment.tsx'
import { useSide } from './side.tsx'
import { useTexts } from './texts.ts'

/** A stored message: sent messages are on the end side, received ones on the start side. */
export function Message({ message, me, name }: { message: Stored; me: number; name: string }) {
  const texts = useTexts('chat:page')
  const isSent = message.senderId === me
  return (
    <li className={isSent ? 'message message--sent' : 'message'}>
      {message.author ? (
        <p className="message__author">
          <bdi>{message.author}</bdi>
        </p>
      ) : (
        <span className="visually-hidden">{isSent ? texts.room.you : <bdi>{name}</bdi>}</span>
      )}
      <MessageText content={message.content} />
      <p className="message__foot">
        <Moment at={message.timestamp} />
        {isSent && <Icon name="check" />}
      </p>
    </li>
  )
}

/**
 * A message that the server does not have yet: being sent, waiting for a connection, or refused.
 */
export function Waiting({ message }: { message: WaitingMessage }) {
  const texts = useTexts('chat:page')
  const line = useStore($line)
  const { retry, drop } = useSide()
  const { clientId, content, isRefused } = message
  const states = texts.state
  return (
    <li className={`message message--sent message--${isRefused ? 'refused' : 'waiting'}`}>
      <span className="visually-hidden">{texts.room.you}</span>
      <MessageText content={content} />
      {isRefused ? (
        <div className="message__foot">
          <span>{states.refused}</span>
          <button type="button" className="link" onClick={() => retry(clientId)}>
            {states.retry}
          </button>
          <button type="button" className="link" onClick={() => drop(clientId)}>
            {states.drop}
          </button>
        </div>
      ) : (
        <p className="message__foot">{line === 'lost' ? states.waiting : states.pending}</p>
      )}
    </li>
  )
}

/** The text of a message. Only addresses of this site become links. */
function MessageText({ content }: { content: string }) {
  const { Mention } = useSide()
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
