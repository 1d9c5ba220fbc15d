import './composer.css'
import { useStore } from '@nanostores/react'
import { type KeyboardEvent, type SubmitEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { fillText } from '../../i18n/format.ts'
import { CHAT_MESSAGE_MAX_LENGTH, messageContent } from '../../rules/room.ts'
import { Icon } from '../parts/Icon.tsx'
import { useSide } from './side.tsx'
import { useTexts } from './texts.ts'

interface Props {
  roomId: string
  isLoading: boolean
  /** The URL of the document that the message is about; sent with the message. */
  about: string | null
  onSent: () => void
}

/** The character counter appears when fewer than this are left. */
const COUNTED_BELOW = 300

/**
 * The input for a message. It grows with its text; Enter sends the message, or starts a new line on
 * touch screens.
 */
export function Composer({ roomId, isLoading, about, onSent }: Props) {
  const texts = useTexts('chat:page').room
  const area = useRef<HTMLTextAreaElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const { $drafts, $readyRoom, keepDraft, send } = useSide()
  const text = useStore($drafts)[roomId] ?? ''
  const whole = about && text.trim() ? `${text.trim()}\n${about}` : text
  const length = [...whole.trim()].length
  const isTooLong = length > CHAT_MESSAGE_MAX_LENGTH
  const canSend = !isLoading && messageContent(whole) !== null
  const isReady = useStore($readyRoom) === roomId
  const isOnePressAway = isReady && !isLoading

  useLayoutEffect(() => {
    const element = area.current
    if (!element) return
    element.style.blockSize = 'auto'
    const border = element.offsetHeight - element.clientHeight
    if (element.value) element.style.blockSize = `${element.scrollHeight + border}px`
  })

  // The visitor arrived with a request that is already written and only has to be sent.
  useEffect(() => {
    if (isOnePressAway) button.current?.focus()
  }, [isOnePressAway])

  const submit = (event?: SubmitEvent) => {
    event?.preventDefault()
    if (canSend && send(whole)) onSent()
    area.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey) return
    // The Enter that ends a composition; Safari says so only by this code, after its end.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (matchMedia('(pointer: coarse)').matches) return
    event.preventDefault()
    submit()
  }

  return (
    <form className="composer" onSubmit={submit}>
      {isReady && (
        <p id="composer-ready" className="composer__ready small" role="status">
          {texts.ready}
        </p>
      )}
      <textarea
        ref={area}
        className="composer__text"
        rows={1}
        // An empty field keeps the page's direction, which is that of the placeholder.
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
        ref={button}
        type="submit"
        className={isReady ? 'button button--primary' : 'icon-button composer__send'}
        aria-label={texts.send}
        aria-describedby={isReady ? 'composer-ready' : undefined}
        title={texts.send}
        disabled={!canSend}
      >
        {isReady && texts.send}
        <Icon name="send" />
      </button>
      <p
        id="composer-count"
        className={`composer__count small ${isTooLong ? 'composer__count--over' : 'soft'}`}
        role="status"
      >
        {length > CHAT_MESSAGE_MAX_LENGTH - COUNTED_BELOW && (
          <bdi dir="ltr">
            {length} / {CHAT_MESSAGE_MAX_LENGTH}
          </bdi>
        )}
        {isTooLong && ` ${fillText(texts.tooLong, { max: CHAT_MESSAGE_MAX_LENGTH })}`}
      </p>
    </form>
  )
}
