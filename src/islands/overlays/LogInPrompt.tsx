import type { ReactNode } from 'react'
import { closeDialog } from '../../stores/shared/dialogs.ts'
import { accountAddress } from '../parts/addresses.ts'
import { Dialog } from '../parts/Dialog.tsx'
import { useLocale } from '../parts/island.tsx'
import { useTexts } from './texts.ts'

interface Props {
  title: string
  /** The text of the link to the log-in. */
  login: string
  /** The other button. */
  other: { text: string; act: () => void }
  children: ReactNode
}

/** Asks the visitor to log in (and come back); the other button offers an alternative. */
export function LogInPrompt({ title, login, other, children }: Props) {
  const locale = useLocale()
  const { close } = useTexts('cart:overlays')
  return (
    <Dialog
      title={title}
      closeText={close}
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
