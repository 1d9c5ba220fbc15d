import './chat.css'
import { useStore } from '@nanostores/react'
import { createContext, useContext, useEffect, useRef, useState } from 'react'
import { accountAddress } from '../../i18n/addresses.ts'
import {
  $activeHistory,
  $activeRoom,
  openChat,
  selectRoom,
  startConversation,
} from '../../stores/chat/chat.ts'
import { $rooms, type ChatRoom, roomById } from '../../stores/chat/rooms.ts'
import {
  $isStarting,
  $picker,
  type Administrator,
  closePicker,
  openPicker,
} from '../../stores/chat/start.ts'
import { hasLoggedOut } from '../../stores/session/log-in.ts'
import { $session } from '../../stores/session/session.ts'
import { Button } from '../parts/Button.tsx'
import { Dialog } from '../parts/Dialog.tsx'
import { useLocale } from '../parts/island.tsx'
import { ErrorAlert } from '../parts/Message.tsx'
import { useHydrated } from '../parts/use-hydrated.ts'
import { customerSide } from './customer-side.tsx'
import { Portrait } from './Portrait.tsx'
import { AtSide } from './side.tsx'
import { island, useTexts } from './texts.ts'
import {
  documentInAddress,
  forgetDocument,
  roomInAddress,
  usePane,
  useVisibleHeight,
} from './use-pane.ts'
import './room-list.css'
import { isolate, pluralText } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { previewText } from '../../rules/preview-text.ts'
import { $documents, loadDocument } from '../../stores/chat/documents.ts'
import { $line } from '../../stores/chat/line.ts'
import { Icon, IconButton } from '../parts/Icon.tsx'
import { Composer } from './Composer.tsx'
import { DocumentCard } from './DocumentCard.tsx'
import { MessageList } from './MessageList.tsx'
import { Moment } from './Moment.tsx'
import { roomName } from './room-name.ts'

const noSession = () => null

/** The address of the shop's icon. */
const ShopIcon = createContext('')

/** All answers are the shop's: the other side of each conversation shows its logo. */
function ShopPortrait() {
  return <img className="avatar chat__avatar" src={useContext(ShopIcon)} alt="" />
}

const selectKnown = (roomId: string) => {
  if (roomById(roomId)) selectRoom(roomId)
}

/**
 * The chat: the list of conversations and the open one. Sends visitors who are not logged in to the
 * log-in.
 */
function Chat({ icon }: { icon: string }) {
  const locale = useLocale()
  const texts = useTexts('chat:page')
  const isHydrated = useHydrated()
  const session = useStore($session, { ssr: noSession })

  useEffect(() => {
    // This also covers a session that ends later. A user who logs out is sent home instead.
    if (session || $session.get() || hasLoggedOut()) return
    location.replace(accountAddress(locale))
  }, [session, locale])

  if (!isHydrated || !session) {
    return (
      <div className="chat chat--list">
        <section className="chat__list">
          <p className="chat__note" role="status" aria-busy="true">
            <span className="spinner" />
            {texts.list.loading}
          </p>
        </section>
      </div>
    )
  }
  return (
    <AtSide value={customerSide}>
      <ShopIcon value={icon}>
        <Panes key={session.userId} me={session.userId} />
      </ShopIcon>
    </AtSide>
  )
}

function Panes({ me }: { me: number }) {
  const texts = useTexts('chat:page')
  const box = useRef<HTMLDivElement>(null)
  const room = useStore($activeRoom)
  const [documentId, setDocumentId] = useState(documentInAddress)
  const { pane, open, back } = usePane(room?.id ?? null, selectKnown)
  useVisibleHeight(box)

  useEffect(() => openChat({ roomId: roomInAddress(), isAsking: documentInAddress() !== null }), [])

  // On a phone the pane that had the focus disappears: the focus moves to the other one.
  const focus = (selector: string) =>
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(selector)?.focus())
  const forgetTopic = () => {
    setDocumentId(null)
    forgetDocument()
  }

  return (
    <div ref={box} className={room && pane === 'room' ? 'chat chat--room' : 'chat chat--list'}>
      <RoomList
        me={me}
        activeId={room?.id ?? null}
        onSelect={(roomId) => {
          open(roomId)
          focus('.chat__back:not([hidden])')
        }}
      />
      {room ? (
        <Room
          room={room}
          me={me}
          documentId={documentId}
          onBack={() => {
            back()
            focus('.chat__room[aria-current]')
          }}
          onTopicDone={forgetTopic}
        />
      ) : (
        <section className="chat__open chat__open--none">
          <p className="chat__note">{texts.room.none}</p>
        </section>
      )}
      <AdminPicker
        onPick={async (administrator) => {
          const roomId = await startConversation(administrator)
          if (roomId !== null) open(roomId)
        }}
      />
    </div>
  )
}

export default island(Chat)

function AdminPicker({ onPick }: { onPick: (administrator: Administrator) => void }) {
  const { picker: texts, state } = useTexts('chat:page')
  const picker = useStore($picker)
  const isStarting = useStore($isStarting)
  if (picker.phase === 'closed') return null
  const isLoading = picker.phase === 'loading'
  return (
    <Dialog
      title={texts.title}
      closeText={texts.close}
      onClose={closePicker}
      isBusy={isLoading || isStarting}
      foot={
        <>
          {picker.phase === 'failed' && (
            <Button kind="primary" onClick={openPicker}>
              {state.retry}
            </Button>
          )}
          <Button disabled={isLoading || isStarting} onClick={closePicker}>
            {texts.cancel}
          </Button>
        </>
      }
    >
      {isLoading && (
        <p className="chat__note" role="status" aria-busy="true">
          <span className="spinner" />
          {texts.loading}
        </p>
      )}
      {picker.phase === 'failed' && <ErrorAlert text={texts.notRead} />}
      {picker.phase === 'open' && picker.administrators.length === 0 && (
        <p role="status">{texts.none}</p>
      )}
      {picker.phase === 'open' && picker.administrators.length > 0 && (
        <ul className="chat__admins">
          {picker.administrators.map((administrator) => (
            <li key={administrator.id}>
              <button
                type="button"
                className="chat__admin"
                aria-busy={isStarting}
                onClick={() => onPick(administrator)}
              >
                <Portrait name={administrator.username} />
                <span dir="auto">{administrator.username}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {picker.phase === 'open' && picker.hasFailed && <ErrorAlert text={texts.notStarted} />}
    </Dialog>
  )
}

interface RoomListProps {
  me: number
  activeId: string | null
  onSelect: (roomId: string) => void
}

function RoomList({ me, activeId, onSelect }: RoomListProps) {
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

interface RoomButtonProps extends Pick<RoomListProps, 'onSelect'> {
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
      <ShopPortrait />
      <span className="chat__row">
        <span className="chat__name one-line along" dir="auto">
          {name}
        </span>
        {lastMessage && <Moment className="soft small" at={lastMessage.timestamp} />}
      </span>
      <span className="chat__row">
        <span className="chat__last one-line soft small along" dir="auto">
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

interface RoomProps {
  room: ChatRoom
  me: number
  /** The document that the next message is about. */
  documentId: number | null
  onBack: () => void
  /** Detaches the document from the next message. */
  onTopicDone: () => void
}

function Room({ room, me, documentId, onBack, onTopicDone }: RoomProps) {
  const locale = useLocale()
  const texts = useTexts('chat:page')
  const history = useStore($activeHistory)
  const line = useStore($line)
  const name = roomName(room, me, texts.nameless)
  const about =
    documentId === null
      ? null
      : new URL(pathIn(locale, `/shop-details/${documentId}`), location.origin).href
  return (
    <section className="chat__open" aria-label={isolate(name)}>
      <div className="chat__head">
        <IconButton
          icon="previous"
          label={texts.room.back}
          className="chat__back"
          onClick={onBack}
        />
        <ShopPortrait />
        <h2 className="chat__name one-line along" dir="auto">
          {name}
        </h2>
      </div>
      <p className="chat__line small" role="status">
        {line === 'lost' && texts.line.lost}
      </p>
      {history && (
        <MessageList key={room.id} roomId={room.id} history={history} me={me} name={name} />
      )}
      {documentId !== null && <About documentId={documentId} onRemove={onTopicDone} />}
      <Composer
        roomId={room.id}
        isLoading={!history || history.phase === 'loading'}
        about={about}
        onSent={onTopicDone}
      />
    </section>
  )
}

function About({ documentId, onRemove }: { documentId: number; onRemove: () => void }) {
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
      <IconButton icon="close" label={texts.remove} title={texts.remove} onClick={onRemove} />
      {document ? (
        <DocumentCard document={document} />
      ) : (
        <div className="skeleton skeleton--button" />
      )}
    </div>
  )
}
