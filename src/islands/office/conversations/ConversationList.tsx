import '../../chat/room-list.css'
import { useStore } from '@nanostores/react'
import { CONVERSATION_FILTERS, type Conversation } from '../../../contract/office-conversations.ts'
import { fillText, pluralText } from '../../../i18n/format.ts'
import { conversationTable } from '../../../stores/office/conversations/list.ts'
import { $officeSession } from '../../../stores/office/session.ts'
import { Moment } from '../../chat/Moment.tsx'
import { Portrait } from '../../chat/Portrait.tsx'
import { useLocale } from '../../parts/island.tsx'
import { OfficeList } from '../parts/OfficeTable.tsx'
import { useTexts } from './texts.ts'

interface Props {
  activeId: string | null
  onSelect: (roomId: string) => void
}

/** The conversations, the longest waiting first. */
export function ConversationList({ activeId, onSelect }: Props) {
  const texts = useTexts('office-conversations:page')
  const { filters } = useStore(conversationTable.$view)
  return (
    <>
      {filters.customer && (
        <p className="cluster inbox__one">
          {texts.oneCustomer}
          <button
            type="button"
            className="button button--plain"
            onClick={() => conversationTable.filter('customer', '')}
          >
            {texts.allCustomers}
          </button>
        </p>
      )}
      <OfficeList
        table={conversationTable}
        counts={texts.counts}
        empty={{ text: texts.empty }}
        search={texts.search}
        filters={[
          {
            name: 'show',
            label: texts.show,
            options: CONVERSATION_FILTERS.map((value) => ({ value, text: texts.filters[value] })),
          },
        ]}
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

interface RowProps extends Pick<Props, 'onSelect'> {
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
        <span className="chat__name along" dir="auto">
          {customer.name}
        </span>
        <Moment className="soft small" at={last.at} />
      </span>
      <span className="chat__row">
        <span className="chat__last soft small along" dir="auto">
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
      <span className="inbox__marks small">
        {waitingSince && <strong className="inbox__waits">{texts.waits}</strong>}
        <HeldBy conversation={conversation} />
      </span>
    </button>
  )
}

/** The administrator who has taken the conversation. */
function HeldBy({ conversation: { isShared, takenBy } }: { conversation: Conversation }) {
  const texts = useTexts('office-conversations:page')
  const session = useStore($officeSession)
  if (!isShared) return <span className="soft">{texts.own}</span>
  if (!takenBy) return null
  const isMine = takenBy.id === session?.userId
  return (
    <span className="soft">
      {isMine ? texts.takenByYou : fillText(texts.takenBy, { name: `\u2068${takenBy.name}\u2069` })}
    </span>
  )
}
