import '../../parts/dialog.css'
import { useStore } from '@nanostores/react'
import { useState } from 'react'
import type { Conversation } from '../../../contract/office-conversations.ts'
import { fillText } from '../../../i18n/format.ts'
import { $answerDrafts, keepAnswer } from '../../../stores/office/conversations/answers.ts'
import { $officeSession } from '../../../stores/office/session.ts'
import { Composer } from '../../chat/Composer.tsx'
import { Dialog } from '../../parts/Dialog.tsx'
import { LaterCanned } from './later-parts.tsx'
import { useTexts } from './texts.ts'

interface Props {
  conversation: Conversation
  isLoading: boolean
}

const ignore = () => {}

/**
 * The field for the shop's answer, or a note if another administrator has taken the conversation.
 */
export function Answer({ conversation, isLoading }: Props) {
  const texts = useTexts('office-conversations:open')
  const canned = useTexts('office-conversations:canned')
  const { close } = useTexts('office:confirm')
  const session = useStore($officeSession)
  const [isChoosing, setChoosing] = useState(false)
  const { roomId, takenBy, customer } = conversation
  if (takenBy && takenBy.id !== session?.userId) {
    const holder = { name: `\u2068${takenBy.name}\u2069` }
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
      <button
        type="button"
        className="button button--plain inbox__canned"
        onClick={() => setChoosing(true)}
      >
        {canned.open}
      </button>
      <Composer roomId={roomId} isLoading={isLoading} about={null} onSent={ignore} />
      {isChoosing && (
        <Dialog title={canned.title} closeText={close} onClose={() => setChoosing(false)}>
          <LaterCanned customer={customer} onChoose={insert} />
        </Dialog>
      )}
    </div>
  )
}
