import './room-list.css'
import { useStore } from '@nanostores/react'
import { pluralText } from '../../i18n/format.ts'
import { previewText } from '../../rules/preview-text.ts'
import { $rooms, type ChatRoom } from '../../stores/chat/rooms.ts'
import { $isStarting, openPicker } from '../../stores/chat/start.ts'
import { Icon } from '../parts/Icon.tsx'
import { useLocale } from '../parts/island.tsx'
import { Moment } from './Moment.tsx'
import { Portrait } from './Portrait.tsx'
import { roomName } from './room-name.ts'
import { useTexts } from './texts.ts'

interface Props {
  me: number
  activeId: string | null
  onSelect: (roomId: string) => void
}

export function RoomList({ me, activeId, onSelect }: Props) {
  const texts = useTexts('chat:page')
  const list = useStore($rooms)
  const isStarting = useStore($isStarting)
  const isLoading = list.phase === 'idle' || list.phase === 'loading'
  return (
    <section className="chat__list" aria-label={texts.list.label}>
      <div className="chat__head">
        <h2>{texts.list.label}</h2>
        <button
          type="button"
          className="chat__new"
          title={texts.list.new}
          aria-label={texts.list.new}
          disabled={isLoading || isStarting}
          onClick={openPicker}
        >
          <Icon name="plus" />
        </button>
      </div>
      {list.phase === 'ready' && list.value.length > 0 ? (
        <ul className="chat__rooms">
          {list.value.map((room) => (
            <li key={room.id}>
              <RoomButton
                room={room}
                name={roomName(room, me, texts.nameless)}
                isActive={room.id === activeId}
                onSelect={onSelect}
              />
            </li>
          ))}
        </ul>
      ) : (
        <p className="chat__note" role="status" aria-busy={isLoading}>
          {isLoading && <span className="spinner" />}
          {list.phase === 'ready' && texts.list.empty}
          {list.phase === 'failed' && texts.list.lost}
          {isLoading && texts.list.loading}
        </p>
      )}
    </section>
  )
}

interface RoomButtonProps extends Pick<Props, 'onSelect'> {
  room: ChatRoom
  name: string
  isActive: boolean
}

function RoomButton({ room, name, isActive, onSelect }: RoomButtonProps) {
  const locale = useLocale()
  const texts = useTexts('chat:page')
  const { lastMessage, unreadCount } = room
  return (
    <button
      type="button"
      className="chat__room"
      aria-current={isActive ? 'true' : undefined}
      onClick={() => onSelect(room.id)}
    >
      <Portrait name={name} />
      <span className="chat__row">
        <span className="chat__name along" dir="auto">
          {name}
        </span>
        {lastMessage && <Moment className="soft small" at={lastMessage.timestamp} />}
      </span>
      <span className="chat__row">
        <span className="chat__last soft small along" dir="auto">
          {/* A preview shows line breaks as spaces. */}
          {lastMessage
            ? previewText(lastMessage.content.replace(/\s+/g, ' '))
            : texts.list.noMessages}
        </span>
        {unreadCount > 0 && (
          <span className="count">
            <span aria-hidden="true">{unreadCount}</span>
            <span className="visually-hidden">
              {pluralText(locale, texts.list.unread, 'unread', unreadCount)}
            </span>
          </span>
        )}
      </span>
    </button>
  )
}
