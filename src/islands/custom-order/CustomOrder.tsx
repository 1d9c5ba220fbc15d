import { useStore } from '@nanostores/react'
import { useEffect, useId, useState } from 'react'
import { pathIn } from '../../i18n/paths.ts'
import { Button } from '../parts/Button.tsx'
import { islandTexts, useLocale } from '../parts/island.tsx'
import '../../parts/field.css'
import '../../parts/select.css'
import { accountAddress } from '../../i18n/addresses.ts'
import { fillText } from '../../i18n/format.ts'
import { DESCRIPTION_MAX_LENGTH } from '../../rules/validators.ts'
import { composeRequest } from '../../stores/chat/outbox.ts'
import { drafts } from '../../stores/session/drafts.ts'
import { hasLoggedOut } from '../../stores/session/log-in.ts'
import { $session } from '../../stores/session/session.ts'
import { createForm } from '../../stores/shared/form.ts'
import { Dialog } from '../parts/Dialog.tsx'
import { Message } from '../parts/Message.tsx'
import { useForm } from '../parts/use-form.ts'

export const { island, useTexts } = islandTexts('chat:order')

interface Props {
  /** The kinds of documents that can be requested, as text. */
  types: readonly string[]
}

/** The "request custom order" button; the page shows it only to logged-in visitors. */
function CustomOrder({ types }: Props) {
  const locale = useLocale()
  const texts = useTexts('chat:order')
  const [isOpen, setOpen] = useState(false)
  const [isKept, setKept] = useState(false)
  const chat = pathIn(locale, '/chat')
  const isIn = useStore($session, { ssr: noSession }) !== null

  useEffect(() => setOpen(drafts.read(FORM) !== null), [])
  // The session has ended while somebody was writing.
  useEffect(() => {
    if (isOpen && !isIn && !hasLoggedOut()) location.assign(accountAddress(locale))
  }, [isOpen, isIn, locale])
  useEffect(() => {
    if (!isKept) return
    const go = () => location.assign(chat)
    addEventListener('online', go)
    return () => removeEventListener('online', go)
  }, [isKept, chat])

  return (
    <>
      <Button onClick={() => setOpen(true)}>{texts.open}</Button>
      {isKept && (
        <Message kind="note">
          {texts.kept} <a href={chat}>{texts.toChat}</a>
        </Message>
      )}
      {isOpen && (
        <OrderDialog
          types={types}
          onClose={() => setOpen(false)}
          onComposed={() => {
            setOpen(false)
            // The request is stored in this browser, ready to be sent in the chat.
            if (navigator.onLine) location.assign(chat)
            else setKept(true)
          }}
        />
      )}
    </>
  )
}

export default island(CustomOrder)

const FORM = 'custom-order'
const noSession = () => null

interface OrderDialogProps {
  types: readonly string[]
  onClose: () => void
  /** Called once the request is written and the chat holds it, ready to be sent. */
  onComposed: () => void
}

const orderForm = () =>
  createForm<'documentType' | 'details', 'required'>(
    ['documentType', 'details'],
    ({ documentType }) => (documentType === '' ? { documentType: 'required' } : {}),
  )

/**
 * The form of a request: a kind of document (required) and details. Closing it discards the input.
 */
function OrderDialog({ types, onClose, onComposed }: OrderDialogProps) {
  const texts = useTexts('chat:order')
  const id = useId()
  const { formProps, mistakes } = useForm({
    make: orderForm,
    draft: [drafts, FORM],
    send: async ({ documentType: type, details: typed }) => {
      const details = typed.trim()
      const text = details === '' ? texts.messageShort : texts.message
      if (composeRequest(fillText(text, { type, details }))) onComposed()
      return 'done'
    },
  })
  const isMissing = mistakes.documentType !== undefined

  return (
    <Dialog
      title={texts.title}
      closeText={texts.close}
      onClose={onClose}
      foot={
        <>
          <Button type="submit" form={id} kind="primary">
            {texts.submit}
          </Button>
          <Button onClick={onClose}>{texts.cancel}</Button>
        </>
      }
    >
      <p>{texts.text}</p>
      <form id={id} className="stack" {...formProps}>
        <div className="field">
          <label htmlFor={`${id}-type`}>{texts.type}</label>
          <select
            id={`${id}-type`}
            name="documentType"
            required
            aria-invalid={isMissing || undefined}
            aria-describedby={isMissing ? `${id}-error` : undefined}
          >
            <option value="">{texts.choose}</option>
            {types.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
          {isMissing && (
            <p className="field__error" id={`${id}-error`}>
              {texts.required}
            </p>
          )}
        </div>
        <div className="field">
          <label htmlFor={`${id}-details`}>{texts.details}</label>
          <textarea
            id={`${id}-details`}
            name="details"
            dir="auto"
            rows={4}
            maxLength={DESCRIPTION_MAX_LENGTH}
            aria-describedby={`${id}-hint`}
          />
          <p className="field__hint" id={`${id}-hint`}>
            {texts.detailsHint}
          </p>
        </div>
      </form>
    </Dialog>
  )
}
