import './chat.css'
import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { $activeRoom, openChat, selectRoom, startConversation } from '../../stores/chat/chat.ts'
import { roomById } from '../../stores/chat/rooms.ts'
import { $picker, type Administrator, closePicker } from '../../stores/chat/start.ts'
import { hasLoggedOut } from '../../stores/session/log-in.ts'
import { $session } from '../../stores/session/session.ts'
import { accountAddress } from '../parts/addresses.ts'
import { Dialog } from '../parts/Dialog.tsx'
import { useLocale } from '../parts/island.tsx'
import { useHydrated } from '../parts/use-hydrated.ts'
import { customerDesk } from './customer-desk.tsx'
import { AtDesk } from './desk.tsx'
import { Portrait } from './Portrait.tsx'
import { Room } from './Room.tsx'
import { RoomList } from './RoomList.tsx'
import { island, useTexts } from './texts.ts'
import {
  documentInAddress,
  forgetDocument,
  roomInAddress,
  usePane,
  useVisibleHeight,
} from './use-pane.ts'

const noSession = () => null

const selectKnown = (roomId: string) => {
  if (roomById(roomId)) selectRoom(roomId)
}

/** The list of conversations and the open one; visitors without a session go to the log-in. */
function Chat() {
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
    <AtDesk value={customerDesk}>
      <Panes key={session.userId} me={session.userId} />
    </AtDesk>
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

interface Props {
  onPick: (administrator: Administrator) => void
}

function AdminPicker({ onPick }: Props) {
  const texts = useTexts('chat:page').picker
  const picker = useStore($picker)
  if (picker.phase === 'closed') return null
  const isLoading = picker.phase === 'loading'
  return (
    <Dialog
      title={texts.title}
      closeText={texts.close}
      onClose={closePicker}
      isBusy={isLoading}
      foot={
        <button type="button" className="button" disabled={isLoading} onClick={closePicker}>
          {texts.cancel}
        </button>
      }
    >
      {isLoading && (
        <p className="chat__note" role="status" aria-busy="true">
          <span className="spinner" />
          {texts.loading}
        </p>
      )}
      {picker.phase === 'open' && picker.administrators.length === 0 && (
        <p role="status">{texts.none}</p>
      )}
      {picker.phase === 'open' && picker.administrators.length > 0 && (
        <ul className="chat__admins">
          {picker.administrators.map((administrator) => (
            <li key={administrator.id}>
              <button type="button" className="chat__admin" onClick={() => onPick(administrator)}>
                <Portrait name={administrator.username} />
                <span dir="auto">{administrator.username}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
