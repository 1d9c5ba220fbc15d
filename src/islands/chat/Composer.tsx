import { useStore } from '@nanostores/react'
import { type KeyboardEvent, type SubmitEvent, useLayoutEffect, useRef } from 'react'
import { fillText } from '../../i18n/format.ts'
import { CHAT_MESSAGE_MAX_LENGTH } from '../../rules/limits.ts'
import { messageContent } from '../../rules/room.ts'
import { sendMessage } from '../../stores/chat.ts'
import { $drafts, keepDraft } from '../../stores/chat-outbox.ts'
import { Icon } from '../parts/Icon.tsx'
import type { ChatTexts } from './texts.ts'

interface Props {
  roomId: string
  isLoading: boolean
  texts: ChatTexts['room']
  /** The address of the document that is asked about; it goes along. */
  about: string | null
  onSent: () => void
}

/** From so many characters before the limit on, they are counted. */
const COUNTED = 300

/** What is written: grows with the text; Enter sends, on touch screens it begins a new line. */
export function Composer({ roomId, isLoading, texts, about, onSent }: Props) {
  const area = useRef<HTMLTextAreaElement>(null)
  const text = useStore($drafts)[roomId] ?? ''
  const whole = about && text.trim() ? `${text.trim()}\n${about}` : text
  const length = [...whole.trim()].length
  const isTooLong = length > CHAT_MESSAGE_MAX_LENGTH
  const canSend = !isLoading && messageContent(whole) !== null

  useLayoutEffect(() => {
    const element = area.current
    if (!element) return
    element.style.blockSize = 'auto'
    const border = element.offsetHeight - element.clientHeight
    if (element.value) element.style.blockSize = `${element.scrollHeight + border}px`
  })

  const submit = (event?: SubmitEvent) => {
    event?.preventDefault()
    if (canSend && sendMessage(whole)) onSent()
    area.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    if (matchMedia('(pointer: coarse)').matches) return
    event.preventDefault()
    submit()
  }

  return (
    <form className="composer" onSubmit={submit}>
      <textarea
        ref={area}
        className="composer__text"
        rows={1}
        // Empty, it has the page's direction, or the placeholder would run the wrong way.
        dir={text ? 'auto' : undefined}
        value={text}
        placeholder={texts.placeholder}
        aria-label={texts.placeholder}
        aria-invalid={isTooLong || undefined}
        aria-describedby="composer-count"
        enterKeyHint="enter"
        disabled={isLoading}
        onChange={({ target }) => keepDraft(roomId, target.value)}
        onKeyDown={onKeyDown}
      />
      <button
        type="submit"
        className="icon-button composer__send"
        aria-label={texts.send}
        title={texts.send}
        disabled={!canSend}
      >
        <Icon name="send" />
      </button>
      <p
        id="composer-count"
        className={`composer__count small ${isTooLong ? 'composer__count--over' : 'soft'}`}
        role="status"
      >
        {length > CHAT_MESSAGE_MAX_LENGTH - COUNTED && (
          <bdi dir="ltr">
            {length} / {CHAT_MESSAGE_MAX_LENGTH}
          </bdi>
        )}
        {isTooLong && ` ${fillText(texts.tooLong, { max: CHAT_MESSAGE_MAX_LENGTH })}`}
      </p>
    </form>
  )
}
