import type { ReactNode } from 'react'
import { pathIn } from '../../i18n/paths.ts'
import type { Question } from '../../rules/taps.ts'
import { closeDialog } from '../../stores/shared/dialogs.ts'
import { accountAddress } from '../parts/addresses.ts'
import { Dialog } from '../parts/Dialog.tsx'
import { useLocale } from '../parts/island.tsx'
import { useTexts } from './texts.ts'

interface Props {
  question: Question
  isOpen: boolean
  title: string
  /** The text of the link to the log-in. */
  login: string
  /** The other button. */
  other: { text: string; act: () => void }
  children: ReactNode
}

/** Asks the visitor to log in and come back; the other button offers an alternative. */
export function LogInPrompt({ question, isOpen, title, login, other, children }: Props) {
  const locale = useLocale()
  const { close } = useTexts('cart:overlays')
  return (
    <Dialog
      question={question}
      isOpen={isOpen}
      title={title}
      closeText={close}
      onClose={closeDialog}
      foot={
        <>
          <a
            className="button button--primary"
            href={isOpen ? accountAddress(locale) : pathIn(locale, '/login')}
            suppressHydrationWarning
          >
            {login}
          </a>
          <button type="button" className="button" data-do="continue" onClick={other.act}>
            {other.text}
          </button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
