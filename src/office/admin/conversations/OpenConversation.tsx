import { useQuestions } from '../../kit/forms/questions.tsx'
import { useAction } from '../../kit/use-action.tsx'
import '../../../islands/parts/dialog.css'
import { useStore } from '@nanostores/react'
import { useState } from 'react'
import type { Conversation } from '../../../contract/office-conversations.ts'
import { fillText, isolate } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { Composer } from '../../../islands/chat/Composer.tsx'
import { MessageList } from '../../../islands/chat/MessageList.tsx'
import { Portrait } from '../../../islands/chat/Portrait.tsx'
import { Button } from '../../../islands/parts/Button.tsx'
import { Dialog } from '../../../islands/parts/Dialog.tsx'
import { IconButton } from '../../../islands/parts/Icon.tsx'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import { Later } from '../../../islands/parts/Later.tsx'
import { LoadState } from '../../../islands/parts/States.tsx'
import { useMedia } from '../../../islands/parts/use-media.ts'
import { $line } from '../../../stores/chat/line.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { $officeSession } from '../../kit/session.ts'
import {
  $answerDrafts,
  $conversation,
  $openHistory,
  close,
  handBack,
  keepAnswer,
  loadConversation,
  take,
} from './conversations.ts'

/** Wide enough to show the customer beside the conversation; else a button opens a dialog. */
const WIDE = '(width >= 77.5rem)'

export function OpenConversation({ roomId, onBack }: { roomId: string; onBack: () => void }) {
  const texts = useTexts('office-conversations:page')
  const chat = useTexts('chat:page')
  const beside = useTexts('office-conversations:beside')
  const state = useStore($conversation, { ssr: notLoaded })
  const line = useStore($line)
  const isWide = useMedia(WIDE)
  const isCurrent = state.phase !== 'ready' || state.value.roomId === roomId
  return (
    <>
      <section className="inbox__open stack gap-0">
        <LoadState
          state={isCurrent ? state : { phase: 'loading' }}
          loading={{ text: texts.loading, shapes: ['line', 'button', 'button'] }}
          failed={{ title: texts.failed, retry: texts.retry }}
          onRetry={loadConversation}
        >
          {(conversation) => <ConversationView conversation={conversation} onBack={onBack} />}
        </LoadState>
        {state.phase !== 'ready' && (
          <Button className="inbox__leave" onClick={onBack}>
            {chat.room.back}
          </Button>
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
      <div className="inbox__head cluster gap-3 lines-1 rigid">
        <IconButton
          icon="previous"
          label={chat.room.back}
          className="chat__back"
          onClick={onBack}
        />
        <Portrait name={customer.name} />
        <h2 className="chat__name one-line along" dir="auto">
          <a href={`${pathIn(locale, '/office/person')}?id=${customer.id}`}>{customer.name}</a>
        </h2>
        <Button className="inbox__about" onClick={() => setBeside(true)}>
          {texts.customer}
        </Button>
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

const CALLS = { takeOver: take, handBack, close } as const

function Hold({ conversation }: { conversation: Conversation }) {
  const texts = useTexts('office-conversations:open')
  const session = useStore($officeSession)
  const { message, attempt, isBusy, say } = useAction()
  const { ask, dialog } = useQuestions(say)
  const { isShared, takenBy, waitingSince } = conversation
  const isMine = takenBy !== null && takenBy.id === session?.userId
  const isOthers = takenBy !== null && !isMine
  const holder = { name: isolate(takenBy?.name ?? '') }

  const askFor = (what: keyof typeof CALLS) =>
    ask({
      title: fillText(texts[`${what}Title`], holder),
      submit: texts[what],
      text: fillText(texts[`${what}Text`], holder),
      send: async () => {
        await CALLS[what](conversation)
        return texts.done[what === 'takeOver' ? 'take' : what]
      },
    })
  const takeIt = () =>
    attempt(async () => {
      await take(conversation)
      return texts.done.take
    })
  const stateText = () => {
    if (!isShared) return texts.own
    if (isMine) return texts.yours
    return isOthers ? fillText(texts.others, holder) : texts.free
  }
  return (
    <div className="inbox__hold cluster gap-4 lines-2 rigid">
      <p className="small">{stateText()}</p>
      <div className="cluster">
        {isShared && takenBy === null && (
          <Button isBusy={isBusy} onClick={takeIt}>
            {texts.take}
          </Button>
        )}
        {isOthers && <Button onClick={() => askFor('takeOver')}>{texts.takeOver}</Button>}
        {isMine && <Button onClick={() => askFor('handBack')}>{texts.handBack}</Button>}
        {waitingSince && !isOthers && (
          <Button onClick={() => askFor('close')}>{texts.close}</Button>
        )}
      </div>
      {message}
      {dialog}
    </div>
  )
}

const ignore = () => {}

function Answer({ conversation, isLoading }: { conversation: Conversation; isLoading: boolean }) {
  const texts = useTexts('office-conversations:open')
  const canned = useTexts('office-conversations:canned')
  const { close } = useTexts('office:confirm')
  const session = useStore($officeSession)
  const [isChoosing, setChoosing] = useState(false)
  const { roomId, takenBy, customer } = conversation
  if (takenBy && takenBy.id !== session?.userId) {
    const holder = { name: isolate(takenBy.name) }
    return <p className="inbox__note soft">{fillText(texts.othersAnswer, holder)}</p>
  }

  const insert = (text: string) => {
    const draft = $answerDrafts.get()[roomId]
    keepAnswer(roomId, draft?.trim() ? `${draft}\n${text}` : text)
    setChoosing(false)
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>('.inbox .composer__text')?.focus(),
    )
  }
  return (
    <div className="inbox__answer">
      <Button kind="plain" className="inbox__canned" onClick={() => setChoosing(true)}>
        {canned.open}
      </Button>
      <Composer roomId={roomId} isLoading={isLoading} about={null} onSent={ignore} />
      {isChoosing && (
        <Dialog title={canned.title} closeText={close} onClose={() => setChoosing(false)}>
          <LaterCanned customer={customer} onChoose={insert} />
        </Dialog>
      )}
    </div>
  )
}

// Loaded on demand, because reading a conversation needs neither of them.
const loadBeside = async () => (await import('./Beside.tsx')).Beside
const loadCanned = async () => (await import('./Canned.tsx')).Canned

const SHAPES = ['line', 'button', 'line'] as const

function LaterBeside(props: { customerId: number }) {
  const { loading, failed, retry } = useTexts('office-conversations:beside')
  return (
    <Later
      load={loadBeside}
      give={props}
      loading={{ text: loading, shapes: SHAPES }}
      failed={{ title: failed, retry }}
    />
  )
}

function LaterCanned(props: {
  customer: Conversation['customer']
  onChoose: (text: string) => void
}) {
  const { loading, failed, retry } = useTexts('office-conversations:canned')
  return (
    <Later
      load={loadCanned}
      give={props}
      loading={{ text: loading, shapes: SHAPES }}
      failed={{ title: failed, retry }}
    />
  )
}
