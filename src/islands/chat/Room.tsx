import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { pathIn } from '../../i18n/paths.ts'
import { $activeHistory } from '../../stores/chat/chat.ts'
import { $documents, loadDocument } from '../../stores/chat/documents.ts'
import { $line } from '../../stores/chat/line.ts'
import type { ChatRoom } from '../../stores/chat/rooms.ts'
import { Icon } from '../parts/Icon.tsx'
import { useLocale } from '../parts/island.tsx'
import { Composer } from './Composer.tsx'
import { DocumentCard } from './DocumentCard.tsx'
import { MessageList } from './MessageList.tsx'
import { Portrait } from './Portrait.tsx'
import { roomName } from './room-name.ts'
import { useTexts } from './texts.ts'

interface Props {
  room: ChatRoom
  me: number
  /** The document that the next message is about. */
  documentId: number | null
  onBack: () => void
  /** Detaches the document from the next message. */
  onTopicDone: () => void
}

export function Room({ room, me, documentId, onBack, onTopicDone }: Props) {
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
    <section className="chat__open" aria-label={`\u2068${name}\u2069`}>
      <div className="chat__head">
        <button
          type="button"
          className="icon-button chat__back"
          aria-label={texts.room.back}
          onClick={onBack}
        >
          <Icon name="previous" />
        </button>
        <Portrait name={name} />
        <h2 className="chat__name along" dir="auto">
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

interface AboutProps {
  documentId: number
  onRemove: () => void
}

export function About({ documentId, onRemove }: AboutProps) {
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
      <button
        type="button"
        className="icon-button"
        aria-label={texts.remove}
        title={texts.remove}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
      {document ? (
        <DocumentCard document={document} />
      ) : (
        <div className="skeleton skeleton--button" />
      )}
    </div>
  )
}
