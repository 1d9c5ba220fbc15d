import './message.css'
import { useStore } from '@nanostores/react'
import { Fragment, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type * as contract from '../../contract/chat.ts'
import { formatDate } from '../../i18n/dates.ts'
import { dayOf } from '../../i18n/relative.ts'
import type { History } from '../../stores/chat/histories.ts'
import { $now } from '../../stores/chat/now.ts'
import type { WaitingMessage } from '../../stores/user-data/unsent-texts.ts'
import { Button } from '../parts/Button.tsx'
import { Icon } from '../parts/Icon.tsx'
import { useLocale } from '../parts/island.tsx'
import { Message, Waiting } from './Message.tsx'
import { useSide } from './side.tsx'
import { useTexts } from './texts.ts'

interface Props {
  roomId: string
  history: History
  me: number
  name: string
}

export function MessageList({ roomId, history, me, name }: Props) {
  const texts = useTexts('chat:page')
  const { $waiting, readOlder, markSeen } = useSide()
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
          <Button
            kind="plain"
            className="chat__older"
            isBusy={isLoadingOlder}
            onClick={() => readOlder(roomId)}
          >
            {texts.room.older}
          </Button>
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
        <Button className="chat__newest" onClick={scroll.toBottom}>
          <Icon name="down" />
          {texts.room.newest}
        </Button>
      )}
    </div>
  )
}

/** The line with the date, above the first message of each day. */
function Day({ at, after }: { at: string; after: string | undefined }) {
  const locale = useLocale()
  const texts = useTexts('chat:page')
  const now = useStore($now)
  const day = dayOf(Date.parse(at))
  if (after !== undefined && dayOf(Date.parse(after)) === day) return null
  const age = dayOf(now) - day
  const name = age <= 0 ? texts.time.today : age === 1 ? texts.time.yesterday : null
  return <li className="chat__day small">{name ?? formatDate(locale, at)}</li>
}

interface Options {
  messages: readonly contract.Message[]
  waiting: readonly WaitingMessage[]
  me: number
  /** Called when the oldest message is in sight. */
  onTop: () => void
  /** Called when the newest message is in sight. */
  onNewest: () => void
}

/** A position within this many pixels of an end counts as being at that end. */
const NEAR = 48

/**
 * Scrolls a conversation: it stays at the newest message if it was there, and goes there when the
 * user sends one; older messages are added above without moving those on the screen.
 */
function useScroll({ messages, waiting, me, onTop, onNewest }: Options) {
  const ref = useRef<HTMLElement>(null)
  const before = useRef({ isAtBottom: true, first: 0, last: 0, waiting: 0, height: 0 })
  const [hasNewBelow, setNewBelow] = useState(false)
  const first = messages[0]?.id ?? 0
  const newest = messages.at(-1)
  const last = newest?.id ?? 0
  const isMine = newest?.senderId === me

  const afterScroll = () => {
    const box = ref.current
    if (!box || box.clientHeight === 0) return
    const was = before.current
    was.isAtBottom = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR
    was.height = box.scrollHeight
    if (box.scrollTop < NEAR) onTop()
    if (!was.isAtBottom) return
    setNewBelow(false)
    if (!document.hidden) onNewest()
  }
  const toBottom = () => {
    const box = ref.current
    if (box) box.scrollTop = box.scrollHeight
    afterScroll()
  }

  useLayoutEffect(() => {
    const box = ref.current
    if (!box) return
    const was = before.current
    const hasWritten = waiting.length > was.waiting
    if (was.isAtBottom || hasWritten) box.scrollTop = box.scrollHeight
    // Browsers report a scroll up to a frame later: the position itself is read here.
    else if (first < was.first) box.scrollTop += box.scrollHeight - was.height
    else if (last > was.last && !isMine) setNewBelow(true)
    Object.assign(was, { first, last, waiting: waiting.length })
    afterScroll()
  })

  const onResize = useEffectEvent(afterScroll)
  useEffect(() => {
    const box = ref.current
    if (!box) return
    // Cards that load and the on-screen keyboard change the height; a list scrolled to its bottom
    // must stay there.
    const keep = () => {
      if (before.current.isAtBottom) box.scrollTop = box.scrollHeight
      onResize()
    }
    const observer = new ResizeObserver(keep)
    observer.observe(box)
    if (box.lastElementChild) observer.observe(box.lastElementChild)
    document.addEventListener('visibilitychange', onResize)
    return () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', onResize)
    }
  }, [])

  return { ref, hasNewBelow, toBottom, onScroll: afterScroll }
}
