import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { closeDialog } from '../../stores/dialogs.ts'
import { continueAnonymously } from '../../stores/shopping.ts'
import { Dialog } from '../parts/Dialog.tsx'
import type { OverlaysTexts } from './Overlays.tsx'

interface Props {
  locale: Locale
  texts: OverlaysTexts['anonymous']
  closeText: string
}

/** The prompt of section 4: log in, go on without an account, or close and add nothing. */
export function AnonymousShopping({ locale, texts, closeText }: Props) {
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
          <button type="button" className="button" onClick={continueAnonymously}>
            {texts.continue}
          </button>
        </>
      }
    >
      <p>{texts.text}</p>
      <p>{texts.minimum}</p>
      <p>{texts.kept}</p>
    </Dialog>
  )
}
