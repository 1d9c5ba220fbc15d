import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { closeDialog } from '../../stores/dialogs.ts'
import { Dialog } from '../parts/Dialog.tsx'
import type { OverlaysTexts } from './Overlays.tsx'

interface Props {
  locale: Locale
  texts: OverlaysTexts['loginRequired']
  closeText: string
}

/** After a heart on a card: go to the log-in and come back, or cancel (section 4). */
export function LoginRequired({ locale, texts, closeText }: Props) {
  const here = encodeURIComponent(location.pathname + location.search)
  return (
    <Dialog
      title={texts.title}
      closeText={closeText}
      onClose={closeDialog}
      foot={
        <>
          <a
            className="button button--primary"
            href={`${pathIn(locale, '/login')}?returnTo=${here}`}
          >
            {texts.login}
          </a>
          <button type="button" className="button" onClick={closeDialog}>
            {texts.cancel}
          </button>
        </>
      }
    >
      <p>{texts.text}</p>
    </Dialog>
  )
}
