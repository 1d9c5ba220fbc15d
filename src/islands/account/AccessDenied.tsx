import type { TextsAt } from '../../i18n/text-keys.ts'
import { Dialog } from '../parts/Dialog.tsx'

/** `account:login.denied` of locales. */
export type AccessDeniedTexts = TextsAt<'account:login.denied'>

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
