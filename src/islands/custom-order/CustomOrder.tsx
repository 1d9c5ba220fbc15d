import { useEffect, useState } from 'react'
import { pathIn } from '../../i18n/paths.ts'
import { useLocale } from '../parts/island.tsx'
import { OrderDialog } from './OrderDialog.tsx'
import { island, useTexts } from './texts.ts'

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

  useEffect(() => {
    if (!isKept) return
    const go = () => location.assign(chat)
    addEventListener('online', go)
    return () => removeEventListener('online', go)
  }, [isKept, chat])

  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {texts.open}
      </button>
      {isKept && (
        <p className="alert" role="status">
          {texts.kept} <a href={chat}>{texts.toChat}</a>
        </p>
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
