import './toast.css'
import { useStore } from '@nanostores/react'
import { pathIn } from '../../i18n/paths.ts'
import { $notice, dismissNotice, type Notice } from '../../stores/shared/notices.ts'
import { Icon } from '../parts/Icon.tsx'
import { useLocale } from '../parts/island.tsx'
import { PriceOrFree } from '../parts/Price.tsx'
import { useTexts } from './texts.ts'

const nothing = () => null

/** The notice of the last 5 seconds. Its live region is always present, since screen readers announce only
 * changes in a region that they know. */
export function Toast() {
  const texts = useTexts('cart:overlays')
  const notice = useStore($notice, { ssr: nothing })
  return (
    <div aria-live="polite">
      {notice && (
        <div className="toast" key={notice.kind === 'added' ? notice.timestamp : notice.code}>
          <Message notice={notice} />
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

function Message({ notice }: { notice: Notice }) {
  const locale = useLocale()
  const reading = useTexts('library:reading')
  const texts = useTexts('cart:overlays')
  if (notice.kind === 'problem') return <p>{reading.problems[notice.code]}</p>
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
        <PriceOrFree amount={notice.price} free={texts.free} />
      </div>
      <a className="link" href={pathIn(locale, '/checkout')}>
        {texts.viewCart}
      </a>
    </>
  )
}
