import { Dialog } from '../parts/Dialog.tsx'
import { useTexts } from '../parts/island.tsx'

interface Props {
  officeUrl: string
  onClose: () => void
}

/** Shown to staff who log in to the shop: a link to the office, which is a separate site. */
export function AccessDenied({ officeUrl, onClose }: Props) {
  const texts = useTexts('account:login').denied
  return (
    <Dialog
      title={texts.title}
      closeText={texts.close}
      onClose={onClose}
      foot={
        <a className="button button--primary" href={officeUrl}>
          {texts.office}
        </a>
      }
    >
      <p>{texts.text}</p>
    </Dialog>
  )
}
