import './conversations.css'
import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { watchInbox } from '../../../stores/office/conversations/live.ts'
import { $openRoom, openConversation } from '../../../stores/office/conversations/open.ts'
import { AtDesk } from '../../chat/desk.tsx'
import { roomInAddress, usePane } from '../../chat/use-pane.ts'
import { useVisibleHeight } from '../../chat/use-visible-height.ts'
import { ConversationList } from './ConversationList.tsx'
import { OpenConversation } from './OpenConversation.tsx'
import { officeDesk } from './office-desk.ts'
import { island, useTexts } from './texts.ts'

const noRoom = () => null

/** The conversations with customers: the list, and the open conversation beside it. */
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
    <AtDesk value={officeDesk}>
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
          <p className="inbox__open chat__note">{texts.none}</p>
        )}
      </div>
    </AtDesk>
  )
}

export default island(Conversations)
