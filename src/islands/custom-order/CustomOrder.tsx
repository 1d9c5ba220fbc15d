import { useEffect, useState } from 'react'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { type CustomOrderTexts, OrderDialog } from './OrderDialog.tsx'

interface Props {
  locale: Locale
  /** What one may ask for, in words. */
  types: readonly string[]
  texts: CustomOrderTexts
}

/** "Request custom order"; the page shows it only to who is logged in. */
export default function CustomOrder({ locale, types, texts }: Props) {
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
        <p className="alert alert--info" role="status">
          {texts.kept} <a href={chat}>{texts.toChat}</a>
        </p>
      )}
      {isOpen && (
        <OrderDialog
          types={types}
          texts={texts}
          onClose={() => setOpen(false)}
          onComposed={() => {
            setOpen(false)
            // The request waits in this browser, ready to be sent in the chat.
            if (navigator.onLine) location.assign(chat)
            else setKept(true)
          }}
        />
      )}
    </>
  )
}
