import { Dialog } from '../parts/Dialog.tsx'
import { useTexts } from '../parts/island.tsx'

interface Props {
  officeUrl: string
  onClose: () => void
}

/** What staff see here: their own site is another one. */
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
