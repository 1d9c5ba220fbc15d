import './conversations.css'
import '../../../islands/chat/room-list.css'
import { useStore } from '@nanostores/react'
import { atom } from 'nanostores'
import { type ComponentType, useEffect, useRef, useState } from 'react'
import { CONVERSATION_FILTERS, type Conversation } from '../../../contract/office-conversations.ts'
import { fillText, isolate, pluralText } from '../../../i18n/format.ts'
import { Moment } from '../../../islands/chat/Moment.tsx'
import { Portrait } from '../../../islands/chat/Portrait.tsx'
import { AtSide, type ChatSide, type MentionProps } from '../../../islands/chat/side.tsx'
import { roomInAddress, usePane, useVisibleHeight } from '../../../islands/chat/use-pane.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { islandTexts, useLocale } from '../../../islands/parts/island.tsx'
import { logOnly } from '../../../stores/shared/problem.ts'
import { $officeSession } from '../../kit/session.ts'
import { filterOf, OfficeList } from '../../kit/tables/OfficeTable.tsx'
import {
  $answerDrafts,
  $answersWaiting,
  $openRoom,
  conversationTable,
  dropAnswer,
  keepAnswer,
  markSeen,
  openConversation,
  readOlder,
  retryAnswer,
  sendAnswer,
  watchInbox,
} from './conversations.ts'
import { OpenConversation } from './OpenConversation.tsx'

const { island, useTexts } = islandTexts(
  'office-conversations:page',
  'office-conversations:open',
  'office-conversations:canned',
  'office-conversations:beside',
  'office-people:bought',
  'chat:page',
  'common:price',
  'office:table',
  'office:confirm',
  'errors:codes',
  'office-conversations:errors',
)

const noRoom = () => null

function Conversations() {
  const texts = useTexts('office-conversations:page')
  const box = useRef<HTMLDivElement>(null)
  const roomId = useStore($openRoom, { ssr: noRoom })
  const { pane, open, back } = usePane(roomId, openConversation)
  useVisibleHeight(box)
  useEffect(() => watchInbox(), [])
  useEffect(() => {
    const urlRoom = roomInAddress()
    if (urlRoom !== null) openConversation(urlRoom)
  }, [])

  // On a phone the pane with the focus disappears, so the focus moves to the other pane.
  const focus = (selector: string) =>
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(selector)?.focus())
  return (
    <AtSide value={officeSide}>
      <div ref={box} className={roomId && pane === 'room' ? 'inbox inbox--room' : 'inbox'}>
        <section className="inbox__list" aria-label={texts.label}>
          <ConversationList
            activeId={roomId}
            onSelect={(id) => {
              open(id)
              focus('.chat__back')
            }}
          />
        </section>
        {roomId ? (
          <OpenConversation
            key={roomId}
            roomId={roomId}
            onBack={() => {
              back()
              focus('.chat__room[aria-current]')
            }}
          />
        ) : (
          <p className="inbox__open chat__note stack">{texts.none}</p>
        )}
      </div>
    </AtSide>
  )
}

interface ConversationListProps {
  activeId: string | null
  onSelect: (roomId: string) => void
}

function ConversationList({ activeId, onSelect }: ConversationListProps) {
  const texts = useTexts('office-conversations:page')
  const { filters } = useStore(conversationTable.$view)
  return (
    <>
      {filters.customer && (
        <p className="inbox__one cluster">
          {texts.oneCustomer}
          <Button kind="plain" onClick={() => conversationTable.filter('customer', '')}>
            {texts.allCustomers}
          </Button>
        </p>
      )}
      <OfficeList
        table={conversationTable}
        texts={texts}
        filters={[filterOf('show', texts.show, CONVERSATION_FILTERS, texts.filters)]}
      >
        {({ content }) => (
          <ul className="chat__rooms">
            {content.map((conversation) => (
              <li key={conversation.roomId}>
                <Row
                  conversation={conversation}
                  isActive={conversation.roomId === activeId}
                  onSelect={onSelect}
                />
              </li>
            ))}
          </ul>
        )}
      </OfficeList>
    </>
  )
}

interface RowProps extends Pick<ConversationListProps, 'onSelect'> {
  conversation: Conversation
  isActive: boolean
}

function Row({ conversation, isActive, onSelect }: RowProps) {
  const locale = useLocale()
  const texts = useTexts('office-conversations:page')
  const { roomId, customer, last, unread, waitingSince } = conversation
  return (
    <button
      type="button"
      className="chat__room inbox__room"
      aria-current={isActive ? 'true' : undefined}
      onClick={() => onSelect(roomId)}
    >
      <Portrait name={customer.name} />
      <span className="chat__row">
        <span className="chat__name one-line along" dir="auto">
          {customer.name}
        </span>
        <Moment className="soft small" at={last.at} />
      </span>
      <span className="chat__row">
        <span className="chat__last one-line soft small along" dir="auto">
          {last.text}
        </span>
        {unread > 0 && !isActive && (
          <span className="count">
            <span aria-hidden="true">{unread}</span>
            <span className="visually-hidden">
              {pluralText(locale, texts.unread, 'unread', unread)}
            </span>
          </span>
        )}
      </span>
      <span className="inbox__marks cluster items-stretch gap-3 lines-0 small">
        {waitingSince && <strong className="inbox__waits">{texts.waits}</strong>}
        <HeldBy conversation={conversation} />
      </span>
    </button>
  )
}

function HeldBy({ conversation: { isShared, takenBy } }: { conversation: Conversation }) {
  const texts = useTexts('office-conversations:page')
  const session = useStore($officeSession)
  if (!isShared) return <span className="soft">{texts.own}</span>
  if (!takenBy) return null
  const isMine = takenBy.id === session?.userId
  return (
    <span className="soft">
      {isMine ? texts.takenByYou : fillText(texts.takenBy, { name: isolate(takenBy.name) })}
    </span>
  )
}

const officeSide: ChatSide = {
  $drafts: $answerDrafts,
  $waiting: $answersWaiting,
  $readyRoom: atom(null),
  Mention: LaterMention,
  keepDraft: keepAnswer,
  send: sendAnswer,
  retry: retryAnswer,
  drop: dropAnswer,
  readOlder,
  markSeen: () => void markSeen(),
}

/** `OfficeMention`, whose code is loaded when the first message mentions a document. */
function LaterMention(props: MentionProps) {
  const [loaded, setLoaded] = useState<{ Mention: ComponentType<MentionProps> } | null>(null)
  useEffect(() => {
    import('./OfficeMention.tsx').then(
      ({ OfficeMention }) => setLoaded({ Mention: OfficeMention }),
      logOnly('card of a document'),
    )
  }, [])
  return loaded ? <loaded.Mention {...props} /> : props.children
}

export default island(Conversations)
