import '../../parts/dialog.css'
import { useStore } from '@nanostores/react'
import { useState } from 'react'
import type { Conversation } from '../../../contract/office-conversations.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { $line } from '../../../stores/chat/line.ts'
import {
  $conversation,
  $openHistory,
  loadConversation,
} from '../../../stores/office/conversations/open.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { MessageList } from '../../chat/MessageList.tsx'
import { Portrait } from '../../chat/Portrait.tsx'
import { Dialog } from '../../parts/Dialog.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { useLocale } from '../../parts/island.tsx'
import { LoadState } from '../../parts/States.tsx'
import { useMedia } from '../../parts/use-media.ts'
import { Answer } from './Answer.tsx'
import { Hold } from './Hold.tsx'
import { LaterBeside } from './later-parts.tsx'
import { useTexts } from './texts.ts'

/** Wide enough to show the customer beside the conversation; else a button opens a dialog. */
const WIDE = '(width >= 1240px)'

interface Props {
  roomId: string
  onBack: () => void
}

/** The open conversation: its customer, who has taken it, the messages and the answer field. */
export function OpenConversation({ roomId, onBack }: Props) {
  const texts = useTexts('office-conversations:page')
  const chat = useTexts('chat:page')
  const beside = useTexts('office-conversations:beside')
  const state = useStore($conversation, { ssr: notLoaded })
  const line = useStore($line)
  const isWide = useMedia(WIDE)
  const isCurrent = state.phase !== 'ready' || state.value.roomId === roomId
  return (
    <>
      <section className="inbox__open">
        <LoadState
          state={isCurrent ? state : { phase: 'loading' }}
          loading={{ text: texts.loading, shapes: ['line', 'button', 'button'] }}
          failed={{ title: texts.failed, retry: texts.retry }}
          onRetry={loadConversation}
        >
          {(conversation) => <ConversationView conversation={conversation} onBack={onBack} />}
        </LoadState>
        {state.phase !== 'ready' && (
          <button type="button" className="button inbox__leave" onClick={onBack}>
            {chat.room.back}
          </button>
        )}
        <p className="inbox__line small" role="status">
          {line === 'lost' && texts.lost}
        </p>
      </section>
      {isWide && state.phase === 'ready' && isCurrent && (
        <aside className="inbox__beside">
          <h2>{beside.title}</h2>
          <LaterBeside customerId={state.value.customer.id} />
        </aside>
      )}
    </>
  )
}

function ConversationView({
  conversation,
  onBack,
}: {
  conversation: Conversation
  onBack: () => void
}) {
  const locale = useLocale()
  const chat = useTexts('chat:page')
  const texts = useTexts('office-conversations:open')
  const { close } = useTexts('office:confirm')
  const history = useStore($openHistory)
  const [isBeside, setBeside] = useState(false)
  const { customer, roomId, officeId } = conversation
  return (
    <>
      <div className="inbox__head">
        <button
          type="button"
          className="icon-button chat__back"
          aria-label={chat.room.back}
          onClick={onBack}
        >
          <Icon name="previous" />
        </button>
        <Portrait name={customer.name} />
        <h2 className="chat__name along" dir="auto">
          <a href={`${pathIn(locale, '/office/person')}?id=${customer.id}`}>{customer.name}</a>
        </h2>
        <button type="button" className="button inbox__about" onClick={() => setBeside(true)}>
          {texts.customer}
        </button>
      </div>
      {customer.state !== 'active' && (
        <p className="inbox__note alert alert--error small">{texts[customer.state]}</p>
      )}
      <Hold conversation={conversation} />
      {history && (
        <MessageList
          key={roomId}
          roomId={roomId}
          history={history}
          me={officeId}
          name={customer.name}
        />
      )}
      <Answer conversation={conversation} isLoading={!history || history.phase === 'loading'} />
      {isBeside && (
        <Dialog
          title={<bdi>{customer.name}</bdi>}
          closeText={close}
          onClose={() => setBeside(false)}
        >
          <LaterBeside customerId={customer.id} />
        </Dialog>
      )}
    </>
  )
}
