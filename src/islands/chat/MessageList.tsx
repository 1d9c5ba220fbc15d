import './message-list.css'
import { useStore } from '@nanostores/react'
import { Fragment } from 'react'
import { formatDate } from '../../i18n/dates.ts'
import { dayOf } from '../../i18n/relative.ts'
import type { History } from '../../stores/chat/histories.ts'
import { $now } from '../../stores/chat/now.ts'
import { Icon } from '../parts/Icon.tsx'
import { useLocale } from '../parts/island.tsx'
import { useDesk } from './desk.tsx'
import { Message, Waiting } from './Message.tsx'
import { useTexts } from './texts.ts'
import { useScroll } from './use-scroll.ts'

interface Props {
  roomId: string
  history: History
  me: number
  /** The other member's name. */
  name: string
}

/** The messages of a room, oldest first, with a line between the days. */
export function MessageList({ roomId, history, me, name }: Props) {
  const texts = useTexts('chat:page')
  const { $waiting, readOlder, markSeen } = useDesk()
  const waiting = useStore($waiting)
  const { messages, hasOlder, isLoadingOlder, phase } = history
  const scroll = useScroll({
    messages,
    waiting,
    me,
    onNewest: markSeen,
    onTop: () => {
      if (hasOlder) void readOlder(roomId)
    },
  })
  const isEmpty = messages.length === 0 && waiting.length === 0
  return (
    <div className="chat__messages">
      <section
        ref={scroll.ref}
        className="chat__scroll"
        aria-label={texts.room.log}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it
        tabIndex={0}
        onScroll={scroll.onScroll}
      >
        {phase === 'loading' && isEmpty && (
          <p className="chat__note" role="status" aria-busy="true">
            <span className="spinner" />
            {texts.room.loading}
          </p>
        )}
        {phase === 'ready' && isEmpty && <p className="chat__note">{texts.room.empty}</p>}
        {phase === 'failed' && isEmpty && <p className="chat__note">{texts.list.lost}</p>}
        {hasOlder && (
          <button
            type="button"
            className="button button--plain chat__older"
            aria-busy={isLoadingOlder}
            onClick={() => readOlder(roomId)}
          >
            {texts.room.older}
          </button>
        )}
        <div className="chat__live" role="log">
          <ol className="chat__log">
            {messages.map((message, at) => (
              <Fragment key={message.clientId ?? message.id}>
                <Day at={message.timestamp} after={messages[at - 1]?.timestamp} />
                <Message message={message} me={me} name={name} />
              </Fragment>
            ))}
            {waiting.map((message) => (
              <Waiting key={message.clientId} message={message} />
            ))}
          </ol>
        </div>
      </section>
      {scroll.hasNewBelow && (
        <button type="button" className="button chat__newest" onClick={scroll.toBottom}>
          <Icon name="down" />
          {texts.room.newest}
        </button>
      )}
    </div>
  )
}

interface DayProps {
  at: string
  after: string | undefined
}

/** The line with the date, above the first message of each day. */
function Day({ at, after }: DayProps) {
  const locale = useLocale()
  const texts = useTexts('chat:page')
  const now = useStore($now)
  const day = dayOf(Date.parse(at))
  if (after !== undefined && dayOf(Date.parse(after)) === day) return null
  const age = dayOf(now) - day
  const name = age <= 0 ? texts.time.today : age === 1 ? texts.time.yesterday : null
  return <li className="chat__day small">{name ?? formatDate(locale, at)}</li>
}
