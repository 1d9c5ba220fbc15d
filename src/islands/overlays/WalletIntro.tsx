import { useStore } from '@nanostores/react'
import { fillText } from '../../i18n/format.ts'
import { $session } from '../../stores/session/session.ts'
import { closeDialog } from '../../stores/shared/dialogs.ts'
import { Dialog } from '../parts/Dialog.tsx'
import { type Props as DialogProps, PurchaseDialog } from './PurchaseDialog.tsx'
import { useTexts } from './texts.ts'

interface Props extends Omit<DialogProps, 'item' | 'intro'> {
  /** The document that was just put into the cart. */
  item: DialogProps['item'] & { title: string }
}

/**
 * The wallet modal: shown once, after the first document ever added to the cart. A customer who is
 * logged in can buy that document at once.
 */
export function WalletIntro({ item, ...way }: Props) {
  const { close, walletIntro: texts } = useTexts('cart:overlays')
  const isIn = useStore($session) !== null
  const content = (
    <>
      {/* Screen readers do not announce the toast behind a modal. */}
      <p>{fillText(texts.added, { title: `\u2068${item.title}\u2069` })}</p>
      <p>{texts.text}</p>
    </>
  )
  if (isIn) {
    const intro = { title: texts.title, content, stay: texts.ok }
    return <PurchaseDialog {...way} item={item} intro={intro} />
  }
  return (
    <Dialog
      title={texts.title}
      closeText={close}
      onClose={closeDialog}
      foot={
        <button type="button" className="button button--primary" onClick={closeDialog}>
          {texts.ok}
        </button>
      }
    >
      {content}
      <p>{texts.minimum}</p>
    </Dialog>
  )
}
