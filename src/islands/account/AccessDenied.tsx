import { Dialog } from '../parts/Dialog.tsx'

/** `account:login.denied` of locales. */
export interface AccessDeniedTexts {
  title: string
  text: string
  office: string
  close: string
}

interface Props {
  texts: AccessDeniedTexts
  officeUrl: string
  onClose: () => void
}

/** What staff see here: their own site is another one. */
export function AccessDenied({ texts, officeUrl, onClose }: Props) {
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
