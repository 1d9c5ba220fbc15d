import type { ReactNode } from 'react'
import type { Locale } from '../../i18n/locales.ts'
import { closeDialog } from '../../stores/shared/dialogs.ts'
import { accountAddress } from '../parts/addresses.ts'
import { Dialog } from '../parts/Dialog.tsx'

interface Props {
  locale: Locale
  title: string
  closeText: string
  /** The words of the way to the log-in. */
  login: string
  /** What there is beside it. */
  other: { text: string; act: () => void }
  children: ReactNode
}

/** Asks to log in and come back, or something else, or to close and do nothing. */
export function LogInPrompt({ locale, title, closeText, login, other, children }: Props) {
  return (
    <Dialog
      title={title}
      closeText={closeText}
      onClose={closeDialog}
      foot={
        <>
          <a className="button button--primary" href={accountAddress(locale)}>
            {login}
          </a>
          <button type="button" className="button" onClick={other.act}>
            {other.text}
          </button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
