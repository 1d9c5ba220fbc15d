import { fillText } from '../../i18n/format.ts'
import { Dialog } from '../parts/Dialog.tsx'
import type { OverlaysTexts } from './Overlays.tsx'

interface Props {
  /** The title of the document that was just put into the cart. */
  added: string
  texts: OverlaysTexts['walletIntro']
  closeText: string
  onClose: () => void
}

/** Shown once, after the first document ever added; all its actions just close it (section 2). */
export function WalletIntro({ added, texts, closeText, onClose }: Props) {
  return (
    <Dialog
      title={texts.title}
      closeText={closeText}
      onClose={onClose}
      foot={
        <button type="button" className="button button--primary" onClick={onClose}>
          {texts.ok}
        </button>
      }
    >
      {/* The toast behind a modal is not read aloud. */}
      <p>{fillText(texts.added, { title: `\u2068${added}\u2069` })}</p>
      <p>{texts.text}</p>
      <p>{texts.minimum}</p>
    </Dialog>
  )
}
