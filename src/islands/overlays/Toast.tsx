import './toast.css'
import { useStore } from '@nanostores/react'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { $notice, dismissNotice, type Notice } from '../../stores/shared/notices.ts'
import { Icon } from '../parts/Icon.tsx'
import { PriceOrFree } from '../parts/Price.tsx'
import type { OverlaysTexts } from './texts.ts'

interface Props {
  locale: Locale
  texts: OverlaysTexts
}

const nothing = () => null

/** The notice of the last 5 seconds; its region is always there, or it would not be read aloud. */
export function Toast({ locale, texts }: Props) {
  const notice = useStore($notice, { ssr: nothing })
  return (
    <div aria-live="polite">
      {notice && (
        <div className="toast" key={notice.kind === 'added' ? notice.timestamp : notice.code}>
          <Message notice={notice} locale={locale} texts={texts} />
          <button
            type="button"
            className="icon-button"
            aria-label={texts.dismiss}
            onClick={dismissNotice}
          >
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  )
}

function Message({ notice, locale, texts }: Props & { notice: Notice }) {
  if (notice.kind === 'problem') return <p>{texts.reading.problems[notice.code]}</p>
  if (notice.kind === 'wish-problem') {
    if (notice.code === 'invalid_token') return <p>{texts.wishLoggedOut}</p>
    return <p>{notice.code === 'wishlist_full' ? texts.wishFull : texts.wishFailed}</p>
  }
  return (
    <>
      <div>
        <p>
          <Icon name="check" /> {texts.added}
        </p>
        <p className="along" dir="auto">
          {notice.title}
        </p>
        <PriceOrFree locale={locale} amount={notice.price} free={texts.free} />
      </div>
      <a className="link" href={pathIn(locale, '/checkout')}>
        {texts.viewCart}
      </a>
    </>
  )
}
